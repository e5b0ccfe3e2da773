// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that a cache holds in eight bits as numbers: bytes [..., n + 4] (cache_rows.h) to y [..., n]. For readers other
// than attention.
#pragma once

#include "runtime-lite/view.h"
#include "templates/attention/cache_rows.h"
#include "templates/loops/index_walk.h"
#include "templates/loops/map.h"

namespace sinter {
namespace {

/// x and y of the same sizes but the last, along which both are contiguous.
template <class T, int R>
SINTER_FUNCTION void widenRows(const View<const int8_t, R> &x, const View<T, R> &y) {
  const int64_t n = y.sizes[R - 1];
  forEachRow(y.sizes, R - 1, [&](const int64_t(&at)[R]) {
    const int8_t *const row = x.data + placeOf(at, x.strides);
    T *const to = y.data + placeOf(at, y.strides);
    float scale = 0.0f;
    readScales(row, 0, n, 1, &scale);
    map<float>(n, [&](auto tag, int64_t i) {
      using V = typename decltype(tag)::Type;
      store(to + i, V(load<V>(row + i) * splat<V>(scale)));
    });
  });
}

} // namespace
} // namespace sinter
