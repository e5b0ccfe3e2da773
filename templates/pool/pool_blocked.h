// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pools of pool.h on views of maps in channel blocks, [n, c / b, spatial..., b] with one to three spatial dims:
// shape and strides from the views.
#pragma once

#include "runtime-lite/view.h"
#include "templates/panels/tile.h"
#include "templates/pool/pool.h"

namespace sinter {
namespace {

/// With at least two spatial dims, rows are the last but one.
template <class T, int R>
SINTER_INLINE ImageLayout layoutOf(const View<T, R> &x) {
  return {x.sizes[R - 1],          x.strides[0], x.strides[1], R > 4 ? x.strides[R - 3] : 0, x.strides[R - 2],
          R > 5 ? x.strides[2] : 0};
}

/// `pads`: low ones, then (where `hasHigh`) high ones.
template <bool hasHigh, class Params, class X, class Y, int R>
SINTER_INLINE auto blockedPoolShape(const Params &p, const View<X, R> &x, const View<Y, R> &y) {
  static_assert(R >= 4 && R <= 6, "one to three spatial dims");
  constexpr int spatial = R - 3, w = spatial - 1;
  PoolShapeOf<typename IfType<spatial == 3, VolumeShape, ConvShape>::Type> s;
  s.batch = x.sizes[0];
  s.filters = s.channels = x.sizes[1] * x.sizes[R - 1];
  s.in = layoutOf(x);
  s.out = layoutOf(y);
  s.width = x.sizes[w + 2], s.outWidth = y.sizes[w + 2];
  s.kernelW = p.kernel[w], s.strideW = p.strides[w], s.dilationW = p.dilations[w];
  s.padLeft = p.pads[w], s.padRight = hasHigh ? p.pads[spatial + w] : 0;
  if constexpr (spatial >= 2) {
    constexpr int h = w - 1;
    s.height = x.sizes[h + 2], s.outHeight = y.sizes[h + 2];
    s.kernelH = p.kernel[h], s.strideH = p.strides[h], s.dilationH = p.dilations[h];
    s.padTop = p.pads[h], s.padBottom = hasHigh ? p.pads[spatial + h] : 0;
  }
  if constexpr (spatial == 3) {
    s.depth = x.sizes[2], s.outDepth = y.sizes[2];
    s.kernelD = p.kernel[0], s.strideD = p.strides[0], s.dilationD = p.dilations[0];
    s.padFront = p.pads[0], s.padBack = hasHigh ? p.pads[spatial] : 0;
  }
  return s;
}

/// The epilogue that changes nothing.
struct PoolIdentity {
  template <class V, class... Index>
  SINTER_INLINE_MEMBER V operator()(V acc, Index...) const {
    return acc;
  }
};

} // namespace
} // namespace sinter
