// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool on a feature map in channel blocks; average_pool.h takes the plain form.
#pragma once

#include "templates/pool/pool_blocked.h"

namespace sinter {
namespace {

struct AveragePoolBlockedParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; pads: low ones, then high ones
  bool count_include_pad;                             ///< pads count as zeros
};

template <class X, class Y, int R>
SINTER_FUNCTION void averagePoolBlocked(const AveragePoolBlockedParams &p, const View<X, R> &x, const View<Y, R> &y) {
  const auto s = blockedPoolShape<true>(p, x, y);
  pool<AccumulatorOf<Y>>(s, AveragePool{p.count_include_pad}, x.data, y.data, 0, outputRows(s), PoolIdentity{});
}

} // namespace
} // namespace sinter
