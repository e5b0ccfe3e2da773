// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums (or averages, minima, maxima) over trees of the weights in the leaves that rows of x reach. Trees are arrays:
// node i compares a feature with a threshold and goes on to onTrue[i] or onFalse[i]; a leaf's weights are leafStart[i]
// .. leafStart[i + 1] - 1.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/view.h"
#include "templates/math/limits.h"

namespace sinter {
namespace {

struct TreeEnsembleParams {
  int64_t aggregate; ///< 0 sum, 1 average, 2 minimum, 3 maximum
};

enum TreeMode : uint8_t { kTreeLeq, kTreeLt, kTreeGte, kTreeGt, kTreeEq, kTreeNeq, kTreeLeaf };

template <class T>
static inline bool treeBranch(uint8_t mode, T x, T threshold) {
  switch (mode) {
  case kTreeLeq:
    return x <= threshold;
  case kTreeLt:
    return x < threshold;
  case kTreeGte:
    return x >= threshold;
  case kTreeGt:
    return x > threshold;
  case kTreeEq:
    return x == threshold;
  default:
    return x != threshold;
  }
}

/// The compiler has seen to it that features, children and targets exist and that no path is endless. missing: NaN goes
/// to onTrue.
template <class X, class T, class W, class Y>
static inline void treeEnsemble(const TreeEnsembleParams &p, const View<X, 2> &x, const View<const int32_t, 1> &feature,
                                const View<const T, 1> &threshold, const View<const uint8_t, 1> &mode,
                                const View<const uint8_t, 1> &missing, const View<const int32_t, 1> &onTrue,
                                const View<const int32_t, 1> &onFalse, const View<const int32_t, 1> &leafStart,
                                const View<const int32_t, 1> &leafTarget, const View<const W, 1> &leafWeight,
                                const View<const int32_t, 1> &roots, const View<const W, 1> &base,
                                const View<Y, 2> &y) {
  using V = ComputeType<T>;
  using C = ComputeType<Y>;
  for (int64_t row = 0; row < y.sizes[0]; ++row) {
    Y *out = y.data + row * y.strides[0];
    const int64_t step = y.strides[1], targets = y.sizes[1];
    const C least = C(-float(SINTER_INFINITY)), start = p.aggregate == 2 ? -least : p.aggregate == 3 ? least : C(0);
    for (int64_t t = 0; t < targets; ++t)
      out[t * step] = convert<Y>(start);
    for (int64_t r = 0; r < roots.sizes[0]; ++r) {
      int32_t node = roots.data[r];
      while (mode.data[node] != kTreeLeaf) {
        const V v = convert<V>(x.data[row * x.strides[0] + feature.data[node] * x.strides[1]]);
        const bool taken = v != v ? missing.data[node] != 0 || mode.data[node] == kTreeNeq
                                  : treeBranch(mode.data[node], v, convert<V>(threshold.data[node]));
        node = taken ? onTrue.data[node] : onFalse.data[node];
      }
      for (int32_t k = leafStart.data[node]; k < leafStart.data[node + 1]; ++k) {
        Y &place = out[leafTarget.data[k] * step];
        const C there = convert<C>(place), weight = convert<C>(leafWeight.data[k]);
        if (p.aggregate < 2)
          place = convert<Y>(there + weight);
        else if (p.aggregate == 2 ? weight < there : weight > there)
          place = convert<Y>(weight);
      }
    }
    for (int64_t t = 0; t < targets; ++t) {
      C there = convert<C>(out[t * step]);
      if (p.aggregate >= 2 && there == start)
        there = C(0);
      if (p.aggregate == 1 && roots.sizes[0] > 0)
        there /= C(roots.sizes[0]);
      out[t * step] = convert<Y>(there + convert<C>(base.data[t]));
    }
  }
}

} // namespace
} // namespace sinter
