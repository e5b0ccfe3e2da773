// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pools of pool.h on views of feature maps in channel blocks [n, c / b, h, w, b]: shape and strides from the views.
#pragma once

#include "runtime-lite/view.h"
#include "templates/panels/tile.h"
#include "templates/pool/pool.h"

namespace sinter {
namespace {

template <class T>
SINTER_INLINE ImageLayout layoutOf(const View<T, 5> &x) {
  return {x.sizes[4], x.strides[0], x.strides[1], x.strides[2], x.strides[3]};
}

/// `pads`: low ones, then (where the pool has them) high ones.
template <class Params, class X, class Y>
SINTER_INLINE PoolShape blockedPoolShape(const Params &p, const View<X, 5> &x, const View<Y, 5> &y) {
  PoolShape s;
  s.batch = x.sizes[0];
  s.channels = x.sizes[1] * x.sizes[4];
  s.height = x.sizes[2];
  s.width = x.sizes[3];
  s.filters = s.channels;
  s.outHeight = y.sizes[2];
  s.outWidth = y.sizes[3];
  s.kernelH = p.kernel[0];
  s.kernelW = p.kernel[1];
  s.strideH = p.strides[0];
  s.strideW = p.strides[1];
  s.dilationH = p.dilations[0];
  s.dilationW = p.dilations[1];
  s.padTop = p.pads[0];
  s.padLeft = p.pads[1];
  s.in = layoutOf(x);
  s.out = layoutOf(y);
  return s;
}

/// The epilogue that changes nothing.
struct PoolIdentity {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V acc, int64_t, int64_t, int64_t, int64_t) const {
    return acc;
  }
};

} // namespace
} // namespace sinter
