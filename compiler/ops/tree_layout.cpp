// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First all comparisons become "at most", then children get side by side.
#include "tree_layout.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// x <= threshold goes to `yes`, anything else to `no`, and
/// NaN to `yes` where `nanIsYes`. A leaf has no children.
struct PlainNode {
  int32_t feature = 0, yes = -1, no = -1, leaf = -1;
  bool nanIsYes = false;
  double threshold = 0;
};

/// The number of the type before `t`: what is below t is at most that. Nothing is below -inf or NaN.
double before(double t, bool isDouble) {
  if (std::isnan(t) || (std::isinf(t) && t < 0))
    return std::numeric_limits<double>::quiet_NaN();
  constexpr double least = -std::numeric_limits<double>::infinity();
  return isDouble ? std::nextafter(t, least)
                  : static_cast<double>(std::nextafterf(static_cast<float>(t), static_cast<float>(least)));
}

/// Node i of `trees` becomes node i; an equality takes one more, at the end.
std::vector<PlainNode> plainNodes(const Trees &trees, bool isDouble) {
  enum : uint8_t { Leq, Lt, Gte, Gt, Eq, Neq };
  std::vector<PlainNode> nodes(trees.mode.size());
  for (size_t i = 0; i < trees.mode.size(); ++i) {
    uint8_t mode = trees.mode[i];
    if (mode == Trees::leafMode) {
      nodes[i].leaf = static_cast<int32_t>(i);
      continue;
    }
    double t = isDouble ? trees.threshold[i] : static_cast<double>(static_cast<float>(trees.threshold[i])),
           low = before(t, isDouble);
    // Where the question is whether x lies above, the answers change places, but for NaN, which lies nowhere.
    bool isTurned = (mode == Gte || mode == Gt || mode == Neq) && !std::isnan(t);
    PlainNode &node = nodes[i];
    node.feature = trees.feature[i];
    node.yes = isTurned ? trees.onFalse[i] : trees.onTrue[i];
    node.no = isTurned ? trees.onTrue[i] : trees.onFalse[i];
    bool nanIsTrue = trees.missing[i] || mode == Neq;
    node.nanIsYes = isTurned ? !nanIsTrue : nanIsTrue;
    node.threshold = mode == Lt || mode == Gte ? low : t;
    if (mode != Eq && mode != Neq)
      continue;
    if (std::isnan(t)) { // equal to nothing
      if (mode == Neq)
        node.no = node.yes;
      continue;
    }
    PlainNode below = node; // at most t, and not below
    below.threshold = low;
    std::swap(below.yes, below.no);
    below.nanIsYes = false;
    nodes[i].yes = static_cast<int32_t>(nodes.size());
    nodes.push_back(below);
  }
  return nodes;
}

/// The integer of templates/selection/tree_ensemble.h that stands for a threshold; no number is at most NaN.
int64_t keyOf(double threshold, bool isDouble) {
  if (std::isnan(threshold))
    return isDouble ? INT64_MIN : INT32_MIN;
  threshold += 0.0;
  if (isDouble) {
    auto bits = llvm::bit_cast<int64_t>(threshold);
    return bits ^ ((bits >> 63) & INT64_MAX);
  }
  auto bits = llvm::bit_cast<int32_t>(static_cast<float>(threshold));
  return bits ^ ((bits >> 31) & INT32_MAX);
}

/// Nodes in order of their walks: each pair of children behind the one that leads to it. What is a child of two is
/// there twice.
class LayoutBuilder {
public:
  LayoutBuilder(const std::vector<PlainNode> &nodes, int64_t features, bool isDouble)
      : nodes(nodes), features(static_cast<int32_t>(features)), isDouble(isDouble), pairOf(nodes.size(), -1),
        heights(nodes.size(), {-1, -1}) {
    layout.columns = features;
  }

  void addTree(int32_t root) {
    auto [least, most] = heightOf(root);
    layout.roots.append({static_cast<int32_t>(layout.leaves.size()), least, most});
    place(root);
    while (!open.empty()) {
      Waiting next = open.pop_back_val();
      fill(nodes[next.number], next);
    }
  }

  TreeLayout layout;

private:
  struct Waiting {
    int32_t number, at;
  };

  void place(int32_t number) {
    open.push_back({number, static_cast<int32_t>(layout.leaves.size())});
    layout.links.append({0, 0});
    layout.threshold.push_back(0);
    layout.leaves.push_back(-1);
  }

  /// Steps from a node to the nearest and to the farthest leaf.
  std::pair<int32_t, int32_t> heightOf(int32_t root) {
    SmallVector<int32_t> stack{root};
    while (!stack.empty()) {
      int32_t number = stack.back();
      const PlainNode &node = nodes[number];
      if (heights[number].first >= 0 || node.leaf >= 0) {
        if (node.leaf >= 0)
          heights[number] = {0, 0};
        stack.pop_back();
        continue;
      }
      auto yes = heights[node.yes], no = heights[node.no];
      if (yes.first < 0)
        stack.push_back(node.yes);
      if (no.first < 0)
        stack.push_back(node.no);
      if (yes.first >= 0 && no.first >= 0)
        heights[number] = {1 + std::min(yes.first, no.first), 1 + std::max(yes.second, no.second)};
    }
    return heights[root];
  }

  void fill(const PlainNode &node, Waiting here) {
    if (node.leaf >= 0) {
      layout.links[2 * here.at + 1] = here.at;
      layout.threshold[here.at] = isDouble ? INT64_MAX : INT32_MAX; // above it is nothing
      layout.leaves[here.at] = node.leaf;
      return;
    }
    layout.links[2 * here.at] = node.feature + (node.nanIsYes ? features : 0);
    if (node.nanIsYes)
      layout.columns = 2 * int64_t(features);
    layout.threshold[here.at] = keyOf(node.threshold, isDouble);
    int32_t &pair = pairOf[here.number];
    if (pair < 0) {
      pair = static_cast<int32_t>(layout.leaves.size());
      place(node.yes);
      place(node.no);
    }
    layout.links[2 * here.at + 1] = pair;
  }

  const std::vector<PlainNode> &nodes;
  int32_t features;
  bool isDouble;
  SmallVector<int32_t> pairOf;
  SmallVector<std::pair<int32_t, int32_t>> heights;
  SmallVector<Waiting> open;
};
} // namespace

TreeLayout layoutOf(const Trees &trees, int64_t features, bool isDouble) {
  std::vector<PlainNode> nodes = plainNodes(trees, isDouble);
  LayoutBuilder builder(nodes, features, isDouble);
  for (int32_t root : trees.roots)
    builder.addTree(root);
  return std::move(builder.layout);
}

} // namespace sinter
