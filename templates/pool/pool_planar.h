// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools of pool.h on views of planar maps [n, c, spatial...], lanes along rows: where there are vectors, and neighbours
// of the last dim are adjacent. For those whose steps may come in any order.
#pragma once

#include "templates/pool/pool_blocked.h"
#include "templates/pool/pool_window.h"

namespace sinter {
namespace {

/// A planar map has its channels in blocks of one.
template <class T, int R>
SINTER_INLINE View<T, R + 1> blocksOfOne(const View<T, R> &map) {
  View<T, R + 1> blocks{map.data, {}, {}};
  for (int d = 0; d < R; ++d) {
    blocks.sizes[d] = map.sizes[d];
    blocks.strides[d] = map.strides[d];
  }
  blocks.sizes[R] = blocks.strides[R] = 1;
  return blocks;
}

/// y = the pool, computed in E; false, and nothing done, where that is not the way.
template <bool hasHigh, class E, class Params, class Op, class X, class Y, int R>
SINTER_INLINE bool poolPlanarly([[maybe_unused]] const Params &p, [[maybe_unused]] Op op,
                                [[maybe_unused]] const View<X, R> &x, [[maybe_unused]] const View<Y, R> &y) {
  if constexpr (SINTER_VECTOR_BYTES > 1) {
    const auto s = blockedPoolShape<hasHigh>(p, blocksOfOne(x), blocksOfOne(y));
    if (s.in.pixel == 1 && s.out.pixel == 1 && (s.kernelW - 1) * s.dilationW + s.strideW * 8 <= kPoolStretch) {
      poolPlanar<E>(s, op, x.data, y.data, 0, outputRows(s), PoolIdentity{});
      return true;
    }
  }
  return false;
}

} // namespace
} // namespace sinter
