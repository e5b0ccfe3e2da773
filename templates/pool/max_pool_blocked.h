// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxPool on a feature map in channel blocks; max_pool.h takes the plain form.
#pragma once

#include "templates/pool/pool_blocked.h"

namespace sinter {
namespace {

struct MaxPoolBlockedParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< per spatial dim; low pads
};

/// With its own low pad of the first spatial dim: in a row tile only the first meet it.
template <class X, class Y, int R>
SINTER_FUNCTION void maxPoolBlocked(const MaxPoolBlockedParams &p, const View<X, R> &x, int64_t firstPad,
                                    const View<Y, R> &y) {
  auto s = blockedPoolShape<false>(p, x, y);
  if constexpr (R == 6)
    s.padFront = firstPad;
  else if constexpr (R == 5)
    s.padTop = firstPad;
  else
    s.padLeft = firstPad;
  pool<typename IfType<kIsHalf<Y>, float, Y>::Type>(s, MaxPool{}, x.data, y.data, 0, outputRows(s), PoolIdentity{});
}

template <class X, class Y, int R>
SINTER_FUNCTION void maxPoolBlocked(const MaxPoolBlockedParams &p, const View<X, R> &x, const View<Y, R> &y) {
  maxPoolBlocked(p, x, p.pads[0], y);
}

} // namespace
} // namespace sinter
