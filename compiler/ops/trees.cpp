// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trees.h"

#include "llvm/ADT/DenseSet.h"
#include <cmath>
#include <map>
#include <set>

using namespace mlir;

namespace sinter {

int32_t Trees::add(uint8_t nodeMode) {
  feature.push_back(0);
  onTrue.push_back(0);
  onFalse.push_back(0);
  mode.push_back(nodeMode);
  missing.push_back(0);
  threshold.push_back(0);
  leaves.emplace_back();
  return static_cast<int32_t>(mode.size()) - 1;
}

SmallVector<double> realsOf(const Op &op, StringRef name) {
  SmallVector<double> values = op.reals(name);
  if (Attribute tensor = op.attribute((name + "_as_tensor").str()))
    if (auto elements = dyn_cast<ElementsAttr>(tensor))
      if (std::optional<HostTensor> host = fromAttribute(tensor, elements.getElementType()))
        for (int64_t i = 0; i < host->size(); ++i)
          values.push_back(host->numberAt(i));
  return values;
}

FailureOr<Trees> treesOf(Op &op, StringRef kind, int64_t targets) {
  SmallVector<int64_t> treeIds = op.integers("nodes_treeids"), nodeIds = op.integers("nodes_nodeids"),
                       features = op.integers("nodes_featureids");
  SmallVector<int64_t> onTrue = op.integers("nodes_truenodeids"), onFalse = op.integers("nodes_falsenodeids");
  SmallVector<int64_t> missing = op.integers("nodes_missing_value_tracks_true");
  SmallVector<StringRef> modes = op.strings("nodes_modes");
  SmallVector<double> values = realsOf(op, "nodes_values"), weights = realsOf(op, (kind + "_weights").str());
  SmallVector<int64_t> leafTrees = op.integers((kind + "_treeids").str()),
                       leafNodes = op.integers((kind + "_nodeids").str());
  SmallVector<int64_t> leafTargets = op.integers((kind + "_ids").str());
  size_t count = treeIds.size(), leafCount = leafTargets.size();
  if (nodeIds.size() != count || features.size() != count || onTrue.size() != count || onFalse.size() != count ||
      modes.size() != count || values.size() != count || leafTrees.size() != leafCount ||
      leafNodes.size() != leafCount || weights.size() != leafCount)
    return op.fail(Code::ShapeMismatch, "the lists that describe trees differ in length");
  // A node keeps these as 32-bit numbers.
  constexpr int64_t most = int64_t(1) << 24;
  auto isOutside = [](int64_t number) { return number < 0 || number >= most; };
  if (targets < 1 || targets > most || llvm::any_of(leafTargets, isOutside))
    return op.fail(Code::ShapeMismatch, "trees have 1 to " + Twine(most) + " targets, and weights for these");
  Trees trees;
  trees.targets = targets;
  std::map<std::pair<int64_t, int64_t>, int32_t> places;
  StringRef names[] = {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF"};
  for (size_t i = 0; i < count; ++i) {
    StringRef *found = llvm::find(names, modes[i]);
    if (found == std::end(names))
      return op.fail(Code::UnsupportedForm, "a tree node of mode '" + modes[i] + "'");
    int32_t node = trees.add(static_cast<uint8_t>(found - std::begin(names)));
    if (!places.try_emplace({treeIds[i], nodeIds[i]}, node).second)
      return op.fail(Code::ShapeMismatch,
                     "node " + Twine(nodeIds[i]) + " of tree " + Twine(treeIds[i]) + " is there twice");
    if (trees.mode[node] != Trees::leafMode && isOutside(features[i]))
      return op.fail(Code::ShapeMismatch, "a tree compares feature " + Twine(features[i]));
    trees.feature[node] = static_cast<int32_t>(features[i]);
    trees.threshold[node] = values[i];
    trees.missing[node] = i < missing.size() && missing[i];
  }
  SmallVector<bool> isChild(count, false);
  for (size_t i = 0; i < count; ++i) {
    if (trees.mode[i] == Trees::leafMode)
      continue;
    auto yes = places.find({treeIds[i], onTrue[i]}), no = places.find({treeIds[i], onFalse[i]});
    if (yes == places.end() || no == places.end())
      return op.fail(Code::ShapeMismatch, "a tree node names a child that is not there");
    trees.onTrue[i] = yes->second;
    trees.onFalse[i] = no->second;
    isChild[yes->second] = isChild[no->second] = true;
  }
  for (size_t i = 0; i < count; ++i)
    if (!isChild[i])
      trees.roots.push_back(static_cast<int32_t>(i));
  SmallVector<bool> isReached(count, false);
  SmallVector<int32_t> open(trees.roots);
  while (!open.empty()) {
    int32_t node = open.pop_back_val();
    if (isReached[node])
      continue;
    isReached[node] = true;
    if (trees.mode[node] != Trees::leafMode)
      open.append({trees.onTrue[node], trees.onFalse[node]});
  }
  for (size_t i = 0; i < count; ++i)
    if (!isReached[i])
      return op.fail(Code::ShapeMismatch, "a tree has a path that leads back to itself");
  // Each tree that has nodes begins somewhere.
  std::set<int64_t> begun;
  for (int32_t root : trees.roots)
    begun.insert(treeIds[root]);
  if (llvm::any_of(treeIds, [&](int64_t tree) { return !begun.count(tree); }))
    return op.fail(Code::ShapeMismatch, "a tree has a path that leads back to itself");
  for (size_t k = 0; k < leafCount; ++k) {
    auto place = places.find({leafTrees[k], leafNodes[k]});
    if (place == places.end())
      return op.fail(Code::ShapeMismatch, "a weight names a leaf that is not there");
    trees.leaves[place->second].push_back({static_cast<int32_t>(leafTargets[k]), weights[k]});
  }
  trees.base = realsOf(op, "base_values");
  return trees;
}

namespace {
LogicalResult check(Op &op, const Trees &trees, std::optional<int64_t> features) {
  enum : uint8_t { Unseen, Open, Done };
  size_t count = trees.mode.size();
  SmallVector<uint8_t> state(count, Unseen);
  for (int32_t root : trees.roots) {
    SmallVector<int32_t> stack{root};
    while (!stack.empty()) {
      int32_t node = stack.back();
      if (state[node] != Unseen || trees.mode[node] == Trees::leafMode) {
        state[node] = Done;
        stack.pop_back();
        continue;
      }
      state[node] = Open;
      for (int32_t child : {trees.onTrue[node], trees.onFalse[node]}) {
        if (state[child] == Open)
          return op.fail(Code::ShapeMismatch, "a tree has a path that leads back to itself");
        if (state[child] == Unseen)
          stack.push_back(child);
      }
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (trees.mode[i] != Trees::leafMode && (trees.feature[i] < 0 || !features || trees.feature[i] >= *features))
      return op.fail(features ? Code::ShapeMismatch : Code::ShapeNotConstant,
                     "a tree compares feature " + Twine(trees.feature[i]) + ", which the input is not known to have");
    for (auto [target, weight] : trees.leaves[i])
      if (target < 0 || target >= trees.targets)
        return op.fail(Code::ShapeMismatch,
                       "a leaf has a weight for target " + Twine(target) + " of " + Twine(trees.targets));
  }
  if (!trees.base.empty() && static_cast<int64_t>(trees.base.size()) != trees.targets)
    return op.fail(Code::ShapeMismatch, "'base_values' does not have one value per target");
  return success();
}

template <class T>
Tensor constantList(const Op &op, ElementType element, ArrayRef<T> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, storageType(element, op.b.getContext()));
  return {op.b.create<WeightOp>(op.loc, type, DenseElementsAttr::get(type, values), StringAttr()), element};
}

Tensor realList(const Op &op, ElementType element, ArrayRef<double> values) {
  if (element == ElementType::Double)
    return constantList<double>(op, element, values);
  return constantList<float>(op, element, llvm::to_vector_of<float>(values));
}

/// Nodes of one form (templates/selection/tree_ensemble.h): x <= threshold goes to `yes`, anything else to `no`, and
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

/// The nodes as the kernel has them: children side by side, each pair behind the one that leads to it, so that a walk
/// stays near where it was. What is a child of two is there twice.
struct TreeLayout {
  SmallVector<int32_t> links, roots, leaves; ///< leaves: of each node the leaf of `nodes` that it is, or -1
  SmallVector<double> threshold;

  TreeLayout(const std::vector<PlainNode> &nodes, ArrayRef<int32_t> given) {
    SmallVector<std::pair<int32_t, int32_t>> open; // a node, and where it stands
    SmallVector<int32_t> pairOf(nodes.size(), -1);
    auto place = [&](int32_t node) {
      open.push_back({node, static_cast<int32_t>(leaves.size())});
      links.append({0, 0});
      threshold.push_back(0);
      leaves.push_back(-1);
    };
    for (int32_t root : given) {
      roots.push_back(static_cast<int32_t>(leaves.size()));
      place(root);
      while (!open.empty()) {
        auto [number, at] = open.pop_back_val();
        const PlainNode &node = nodes[number];
        bool isLeaf = node.leaf >= 0;
        constexpr int32_t nan = INT32_MIN;
        links[2 * at] = node.feature | (node.nanIsYes || isLeaf ? nan : 0);
        threshold[at] = isLeaf ? std::numeric_limits<double>::infinity() : node.threshold;
        leaves[at] = node.leaf;
        if (isLeaf) {
          links[2 * at + 1] = at;
          continue;
        }
        if (pairOf[number] < 0) {
          pairOf[number] = static_cast<int32_t>(leaves.size());
          place(node.yes);
          place(node.no);
        }
        links[2 * at + 1] = pairOf[number];
      }
    }
  }
};
} // namespace

FailureOr<Tensor> evaluateTrees(Op &op, Tensor x, const Trees &trees, StringRef aggregate, ElementType result) {
  StringRef names[] = {"SUM", "AVERAGE", "MIN", "MAX"};
  StringRef *found = llvm::find(names, aggregate);
  if (found == std::end(names))
    return op.fail(Code::UnsupportedForm, "aggregate function '" + aggregate + "'");
  if (x.rank() == 1)
    x = op.unsqueeze(x, {0});
  if (x.rank() != 2 || failed(check(op, trees, constantOf(op.size(x, 1)))))
    return x.rank() == 2 ? failure() : op.fail(Code::ShapeMismatch, "the input of trees has rank " + Twine(x.rank()));
  ElementType real = x.element == ElementType::Double ? ElementType::Double : ElementType::Float,
              index = ElementType::Int32;
  TreeLayout layout(plainNodes(trees, real == ElementType::Double), trees.roots);
  bool oneWeight = trees.targets == 1;
  for (int32_t leaf : layout.leaves)
    oneWeight &= leaf < 0 || trees.leaves[leaf].size() == 1;
  SmallVector<int32_t> starts{0}, targets;
  SmallVector<double> weights, base = trees.base;
  base.resize(trees.targets, 0);
  for (int32_t leaf : layout.leaves) {
    if (oneWeight)
      weights.push_back(leaf < 0 ? 0 : trees.leaves[leaf].front().second);
    else if (leaf >= 0)
      for (auto [target, weight] : trees.leaves[leaf]) {
        targets.push_back(target);
        weights.push_back(weight);
      }
    if (!oneWeight)
      starts.push_back(static_cast<int32_t>(targets.size()));
  }
  auto nodes = static_cast<int64_t>(layout.leaves.size());
  Tensor links = op.reshape(constantList<int32_t>(op, index, layout.links), {sizeOf(op.b, nodes), sizeOf(op.b, 2)});
  SmallVector<Tensor> operands{x,
                               links,
                               realList(op, real, layout.threshold),
                               constantList<int32_t>(op, index, starts),
                               constantList<int32_t>(op, index, targets),
                               realList(op, real, weights),
                               constantList<int32_t>(op, index, layout.roots),
                               realList(op, real, base)};
  return op.kernel(
      "tree_ensemble", operands, {{{op.size(x, 0), sizeOf(op.b, trees.targets)}, result}},
      {op.param("aggregate", static_cast<int64_t>(found - std::begin(names))), op.param("one_weight", oneWeight)})[0];
}

} // namespace sinter
