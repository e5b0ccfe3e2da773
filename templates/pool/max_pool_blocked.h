// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxPool on a feature map in channel blocks; max_pool.h takes the plain form.
#pragma once

#include "templates/pool/pool_blocked.h"

namespace sinter {
namespace {

struct MaxPoolBlockedParams {
  const int64_t *kernel, *strides, *dilations, *pads; ///< height, width; low pads
};

/// With its own padding above: in a row tile only the first meet it.
template <class X, class Y>
SINTER_FUNCTION void maxPoolBlocked(const MaxPoolBlockedParams &p, const View<X, 5> &x, int64_t padTop,
                                    const View<Y, 5> &y) {
  PoolShape s = blockedPoolShape(p, x, y);
  s.padTop = padTop;
  pool<typename IfType<kIsHalf<Y>, float, Y>::Type>(s, MaxPool{}, x.data, y.data, 0, s.outHeight, PoolIdentity{});
}

template <class X, class Y>
SINTER_FUNCTION void maxPoolBlocked(const MaxPoolBlockedParams &p, const View<X, 5> &x, const View<Y, 5> &y) {
  maxPoolBlocked(p, x, p.pads[0], y);
}

} // namespace
} // namespace sinter
