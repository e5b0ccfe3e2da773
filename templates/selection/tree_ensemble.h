// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums (or averages, minima, maxima) over trees of the weights in the leaves that rows of x reach. All nodes have one
// form: a feature above the threshold goes to the second of two children that stand side by side, anything else to the
// first; a leaf goes to itself. Numbers are compared as integers in the same order. So a step takes no branch and
// little time, and several walks go on side by side: of several rows in one tree, or of one row in several trees.
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/convert.h"
#include "runtime-lite/view.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

struct TreeEnsembleParams {
  int64_t aggregate; ///< 0 sum, 1 average, 2 minimum, 3 maximum
  bool one_weight;   ///< each leaf has one, for the only target; leafWeight is by node then
};

constexpr int kTreeWalks = 8;     ///< side by side
constexpr int64_t kTreeRows = 64; ///< that are done with a tree before the next one is looked at

/// The float (of int32_t) or double (of int64_t) that a key stands for.
template <class Key>
struct TreeNumberOf {
  using Type = float;
};
template <>
struct TreeNumberOf<int64_t> {
  using Type = double;
};

/// An integer that lies among others as the number does among numbers; both zeros are one. Nothing has the greatest and
/// the least, which NaN gets.
template <class Key, class V>
SINTER_FUNCTION Key treeKey(V value, Key nan) {
  const V number = value + V(0);
  Key bits;
  __builtin_memcpy(&bits, &number, sizeof bits);
  constexpr int sign = int(sizeof(Key)) * 8 - 1;
  constexpr Key rest = Key(~(Key(1) << sign));
  return value != value ? nan : Key(bits ^ ((bits >> sign) & rest));
}

/// Nodes, and what is in their leaves. The compiler has seen to it that features and children exist and no path is
/// endless.
template <class Key, class W>
struct Trees {
  const int32_t *links; ///< per node its column of keys, and its first child
  const Key *threshold; ///< the greatest key in leaves
  const int32_t *roots; ///< per tree: the node, and how many steps its leaves are away at least and at most
  const int32_t *leafStart, *leafTarget; ///< the weights of node i are leafStart[i] .. leafStart[i + 1] - 1
  const W *leafWeight;
};

/// All walks on, to leaves that are `least` to `most` steps away. Rows: how many have their keys side by side, column
/// by column; each has a walk, or all walks are of one.
template <int Rows, class Key, class W>
SINTER_FUNCTION void walkTrees(const Trees<Key, W> &trees, const Key *keys, int32_t least, int32_t most,
                               int32_t (&node)[kTreeWalks]) {
  const auto next = [&](int i) {
    const int32_t *const link = trees.links + 2 * int64_t(node[i]);
    return link[1] + int32_t(keys[int64_t(link[0]) * Rows + i % Rows] > trees.threshold[node[i]]);
  };
  for (int32_t step = 0; step < least; ++step)
    SINTER_UNROLL
  for (int i = 0; i < kTreeWalks; ++i)
    node[i] = next(i);
  for (int32_t step = least, moved = 1; step < most && moved; ++step) {
    moved = 0;
    SINTER_UNROLL
    for (int i = 0; i < kTreeWalks; ++i) {
      const int32_t to = next(i);
      moved |= to ^ node[i];
      node[i] = to;
    }
  }
}

/// The keys of `Rows` rows, column by column. Behind the columns in which NaN is above all others there may be as many
/// in which it is below.
template <int Rows, class X, class Key>
SINTER_FUNCTION void writeTreeKeys(const View<X, 2> &x, int64_t row, int64_t columns, Key *keys) {
  using V = typename TreeNumberOf<Key>::Type;
  const int64_t features = x.sizes[1];
  constexpr Key least = Key(Key(1) << (sizeof(Key) * 8 - 1)), most = Key(~least);
  for (int i = 0; i < Rows; ++i) {
    const X *const from = x.data + (row + i) * x.strides[0];
    for (int64_t f = 0; f < features; ++f)
      keys[f * Rows + i] = treeKey<Key>(convert<V>(from[f * x.strides[1]]), most);
    for (int64_t f = features; f < columns; ++f)
      keys[f * Rows + i] = treeKey<Key>(convert<V>(from[(f - features) * x.strides[1]]), least);
  }
}

/// What a row has collected for each target.
template <class Y>
struct TreeScores {
  using C = ComputeType<Y>;
  Y *out;
  int64_t step, targets, aggregate;

  /// What nothing has been added to: it stays where no leaf has a weight for the target.
  SINTER_HOST_DEVICE C start() const {
    const C most = C(float(SINTER_INFINITY));
    return aggregate == 2 ? most : aggregate == 3 ? -most : C(0);
  }
  SINTER_HOST_DEVICE void begin() const {
    for (int64_t t = 0; t < targets; ++t)
      out[t * step] = convert<Y>(start());
  }
  template <class W>
  SINTER_HOST_DEVICE void add(int64_t target, W w) const {
    Y &place = out[target * step];
    const C there = convert<C>(place), weight = convert<C>(w);
    if (aggregate < 2)
      place = convert<Y>(there + weight);
    else if (aggregate == 2 ? weight < there : weight > there)
      place = convert<Y>(weight);
  }
  template <class Key, class W>
  SINTER_HOST_DEVICE void addLeaf(const Trees<Key, W> &trees, int32_t node, bool isOne) const {
    if (isOne) {
      add(0, trees.leafWeight[node]);
      return;
    }
    for (int32_t k = trees.leafStart[node]; k < trees.leafStart[node + 1]; ++k)
      add(trees.leafTarget[k], trees.leafWeight[k]);
  }
  template <class W>
  SINTER_HOST_DEVICE void end(int64_t count, const W *base) const {
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

/// `keys` is scratch: a row for each of x.
template <class X, class Key, class W, class Y>
SINTER_FUNCTION void treeEnsemble(const TreeEnsembleParams &p, const View<X, 2> &x, const View<const int32_t, 2> &links,
                                  const View<const Key, 1> &threshold, const View<const int32_t, 1> &leafStart,
                                  const View<const int32_t, 1> &leafTarget, const View<const W, 1> &leafWeight,
                                  const View<const int32_t, 2> &roots, const View<const W, 1> &base,
                                  const View<Y, 2> &y, const View<Key, 2> &keys) {
  const Trees<Key, W> trees = {links.data,     threshold.data,  roots.data,
                               leafStart.data, leafTarget.data, leafWeight.data};
  const int64_t n = y.sizes[0], count = roots.sizes[0], columns = keys.sizes[1];
  const auto scoresOf = [&](int64_t row) {
    return TreeScores<Y>{y.data + row * y.strides[0], y.strides[1], y.sizes[1], p.aggregate};
  };
  int32_t node[kTreeWalks];
  for (int64_t block = 0; block < n; block += kTreeRows) {
    const int64_t end = n - block < kTreeRows ? n : block + kTreeRows, whole = end - (end - block) % kTreeWalks;
    for (int64_t row = block; row < end; ++row)
      scoresOf(row).begin();
    for (int64_t row = block; row < whole; row += kTreeWalks)
      writeTreeKeys<kTreeWalks>(x, row, columns, keys.data + row * columns);
    for (int64_t tree = 0; tree < count; ++tree) {
      const int32_t *const root = trees.roots + 3 * tree;
      for (int64_t row = block; row < whole; row += kTreeWalks) {
        for (int32_t &each : node)
          each = root[0];
        walkTrees<kTreeWalks>(trees, keys.data + row * columns, root[1], root[2], node);
        for (int i = 0; i < kTreeWalks; ++i)
          scoresOf(row + i).addLeaf(trees, node[i], p.one_weight);
      }
    }
    for (int64_t row = whole; row < end; ++row) {
      Key *const own = keys.data + row * columns;
      writeTreeKeys<1>(x, row, columns, own);
      for (int64_t tree = 0; tree < count; tree += kTreeWalks) {
        int32_t least = INT32_MAX, most = 0;
        for (int i = 0; i < kTreeWalks; ++i) {
          const int32_t *const root = trees.roots + 3 * (tree + i < count ? tree + i : count - 1);
          node[i] = root[0];
          least = root[1] < least ? root[1] : least;
          most = root[2] > most ? root[2] : most;
        }
        walkTrees<1>(trees, own, least, most, node);
        for (int i = 0; i < kTreeWalks && tree + i < count; ++i)
          scoresOf(row).addLeaf(trees, node[i], p.one_weight);
      }
    }
    for (int64_t row = block; row < end; ++row)
      scoresOf(row).end(count, base.data);
  }
}

} // namespace
} // namespace sinter
