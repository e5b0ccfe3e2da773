// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums (or averages, minima, maxima) over trees of the weights in the leaves that rows of x reach. All nodes have one
// form: x[feature] <= threshold goes to a child, anything else to the one behind it; a leaf goes to itself. So a step
// takes no branch, and several walks go on side by side: of several rows in one tree, or of one row in several trees.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/view.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

struct TreeEnsembleParams {
  int64_t aggregate; ///< 0 sum, 1 average, 2 minimum, 3 maximum
  bool one_weight;   ///< each leaf has one, for the only target; leafWeight is by node then
};

constexpr int kTreeWalks = 8;           ///< side by side
constexpr int64_t kTreeRows = 64;       ///< that are done with a tree before the next one is looked at
constexpr int32_t kTreeNan = INT32_MIN; ///< in the number of a feature: NaN goes to the first child

/// Nodes and what is in their leaves. The compiler has seen to it that features and children exist and no path is
/// endless.
template <class T, class W>
struct Trees {
  const int32_t *links; ///< per node its feature and its first child
  const T *threshold;
  const int32_t *leafStart, *leafTarget; ///< the weights of node i are leafStart[i] .. leafStart[i + 1] - 1
  const W *leafWeight;
};

/// All walks to their leaves: node[i] goes on by the row at rows[i].
template <class T, class X>
static inline void walkTrees(const int32_t *links, const T *threshold, const X *const (&rows)[kTreeWalks],
                             int64_t stride, int32_t (&node)[kTreeWalks]) {
  using V = ComputeType<T>;
  for (int32_t moved = 1; moved != 0;) {
    moved = 0;
    for (int i = 0; i < kTreeWalks; ++i) {
      const int32_t *const link = links + 2 * int64_t(node[i]);
      const V v = convert<V>(rows[i][(link[0] & ~kTreeNan) * stride]);
      const bool isFirst = (v <= convert<V>(threshold[node[i]])) | ((v != v) & (link[0] < 0));
      const int32_t next = link[1] + !isFirst;
      moved |= next ^ node[i];
      node[i] = next;
    }
  }
}

/// What a row has collected for each target.
template <class Y>
struct TreeScores {
  using C = ComputeType<Y>;
  Y *out;
  int64_t step, targets, aggregate;

  /// What nothing has been added to: it stays where no leaf has a weight for the target.
  C start() const {
    const C most = C(float(SINTER_INFINITY));
    return aggregate == 2 ? most : aggregate == 3 ? -most : C(0);
  }
  void begin() const {
    for (int64_t t = 0; t < targets; ++t)
      out[t * step] = convert<Y>(start());
  }
  template <class W>
  void add(int64_t target, W w) const {
    Y &place = out[target * step];
    const C there = convert<C>(place), weight = convert<C>(w);
    if (aggregate < 2)
      place = convert<Y>(there + weight);
    else if (aggregate == 2 ? weight < there : weight > there)
      place = convert<Y>(weight);
  }
  template <class T, class W>
  void addLeaf(const Trees<T, W> &trees, int32_t node, bool isOne) const {
    if (isOne) {
      add(0, trees.leafWeight[node]);
      return;
    }
    for (int32_t k = trees.leafStart[node]; k < trees.leafStart[node + 1]; ++k)
      add(trees.leafTarget[k], trees.leafWeight[k]);
  }
  template <class W>
  void end(int64_t count, const W *base) const {
    for (int64_t t = 0; t < targets; ++t) {
      C there = convert<C>(out[t * step]);
      if (aggregate >= 2 && there == start())
        there = C(0);
      if (aggregate == 1 && count > 0)
        there /= C(count);
      out[t * step] = convert<Y>(there + convert<C>(base[t]));
    }
  }
};

template <class X, class T, class W, class Y>
static inline void treeEnsemble(const TreeEnsembleParams &p, const View<X, 2> &x, const View<const int32_t, 2> &links,
                                const View<const T, 1> &threshold, const View<const int32_t, 1> &leafStart,
                                const View<const int32_t, 1> &leafTarget, const View<const W, 1> &leafWeight,
                                const View<const int32_t, 1> &roots, const View<const W, 1> &base,
                                const View<Y, 2> &y) {
  const Trees<T, W> trees = {links.data, threshold.data, leafStart.data, leafTarget.data, leafWeight.data};
  const int64_t n = y.sizes[0], count = roots.sizes[0];
  const auto scoresOf = [&](int64_t row) {
    return TreeScores<Y>{y.data + row * y.strides[0], y.strides[1], y.sizes[1], p.aggregate};
  };
  const auto rowAt = [&](int64_t row) { return x.data + row * x.strides[0]; };
  X *rows[kTreeWalks];
  int32_t node[kTreeWalks];
  int64_t row = 0;
  for (int64_t block = 0; block < n; block += kTreeRows) {
    const int64_t end = n - block < kTreeRows ? n : block + kTreeRows, whole = end - (end - block) % kTreeWalks;
    for (row = block; row < end; ++row)
      scoresOf(row).begin();
    for (int64_t tree = 0; tree < count; ++tree)
      for (row = block; row < whole; row += kTreeWalks) {
        for (int i = 0; i < kTreeWalks; ++i) {
          rows[i] = rowAt(row + i);
          node[i] = roots.data[tree];
        }
        walkTrees(trees.links, trees.threshold, rows, x.strides[1], node);
        for (int i = 0; i < kTreeWalks; ++i)
          scoresOf(row + i).addLeaf(trees, node[i], p.one_weight);
      }
    for (row = whole; row < end; ++row)
      for (int64_t tree = 0; tree < count; tree += kTreeWalks) {
        for (int i = 0; i < kTreeWalks; ++i) {
          rows[i] = rowAt(row);
          node[i] = roots.data[tree + i < count ? tree + i : count - 1];
        }
        walkTrees(trees.links, trees.threshold, rows, x.strides[1], node);
        for (int i = 0; i < kTreeWalks && tree + i < count; ++i)
          scoresOf(row).addLeaf(trees, node[i], p.one_weight);
      }
    for (row = block; row < end; ++row)
      scoresOf(row).end(count, base.data);
  }
}

} // namespace
} // namespace sinter
