// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums (or averages, minima, maxima) over trees of the weights in the leaves that rows of x reach. Trees are arrays:
// node i compares a feature with a threshold and goes on to onTrue[i] or onFalse[i]; a leaf's weights are leafStart[i]
// .. leafStart[i + 1] - 1.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/view.h"

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
  for (int64_t row = 0; row < y.sizes[0]; ++row) {
    Y *out = y.data + row * y.strides[0];
    const int64_t step = y.strides[1], targets = y.sizes[1];
    const Y least = Y(-__builtin_inff()), start = p.aggregate == 2 ? -least : p.aggregate == 3 ? least : Y(0);
    for (int64_t t = 0; t < targets; ++t)
      out[t * step] = start;
    for (int64_t r = 0; r < roots.sizes[0]; ++r) {
      int32_t node = roots.data[r];
      while (mode.data[node] != kTreeLeaf) {
        const T v = convert<T>(x.data[row * x.strides[0] + feature.data[node] * x.strides[1]]);
        const bool taken = v != v ? missing.data[node] != 0 || mode.data[node] == kTreeNeq
                                  : treeBranch(mode.data[node], v, threshold.data[node]);
        node = taken ? onTrue.data[node] : onFalse.data[node];
      }
      for (int32_t k = leafStart.data[node]; k < leafStart.data[node + 1]; ++k) {
        Y &there = out[leafTarget.data[k] * step];
        const Y weight = convert<Y>(leafWeight.data[k]);
        if (p.aggregate < 2)
          there += weight;
        else if (p.aggregate == 2 ? weight < there : weight > there)
          there = weight;
      }
    }
    for (int64_t t = 0; t < targets; ++t) {
      Y &there = out[t * step];
      if (p.aggregate >= 2 && there == start)
        there = Y(0);
      if (p.aggregate == 1 && roots.sizes[0] > 0)
        there /= Y(roots.sizes[0]);
      there += convert<Y>(base.data[t]);
    }
  }
}

} // namespace
} // namespace sinter
