// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool on a feature map in channel blocks; average_pool.h takes the plain form.
#pragma once

#include "templates/pool/pool_blocked.h"

namespace sinter {
namespace {

struct AveragePoolBlockedParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< height, width; pads: low ones, then high ones
  bool count_include_pad;                             ///< pads count as zeros
};

template <class X, class Y>
SINTER_FUNCTION void averagePoolBlocked(const AveragePoolBlockedParams &p, const View<X, 5> &x, const View<Y, 5> &y) {
  PoolShape s = blockedPoolShape(p, x, y);
  s.padBottom = p.pads[2];
  s.padRight = p.pads[3];
  pool<AccumulatorOf<Y>>(s, AveragePool{p.count_include_pad}, x.data, y.data, 0, s.outHeight, PoolIdentity{});
}

} // namespace
} // namespace sinter
