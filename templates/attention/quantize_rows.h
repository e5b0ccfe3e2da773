// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of keys and values as a cache holds them in eight bits (cache_rows.h): x [..., n] to bytes [..., n + 4].
// Numbers that are no numbers become a row of which all are none: a scale of NaN.
#pragma once

#include "runtime-lite/view.h"
#include "templates/attention/cache_rows.h"
#include "templates/loops/index_walk.h"
#include "templates/loops/map.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// A row of n numbers.
template <class T>
SINTER_INLINE void quantizeRow(const T *x, int64_t n, int8_t *to) {
  using V = Vec<float, kLanes<float>>;
  V several{};
  float largest = 0.0f;
  map<float>(n, [&](auto tag, int64_t i) {
    using W = typename decltype(tag)::Type;
    const W size = abs(load<W>(x + i));
    if constexpr (kSame<W, V>)
      several = max(several, size);
    else
      largest = max(largest, size);
  });
  largest = max(maxOf(several), largest);
  const bool isFinite = largest < float(SINTER_INFINITY);
  const float scale = largest / 127, inverse = isFinite && largest > 0 ? 127 / largest : 0.0f;
  map<float>(n, [&](auto tag, int64_t i) {
    using W = typename decltype(tag)::Type;
    if (isFinite) {
      const W number = roundEven(W(load<W>(x + i) * splat<W>(inverse)));
      store(to + i, min(max(number, splat<W>(-127.0f)), splat<W>(127.0f)));
    } else {
      store(to + i, splat<W>(1.0f));
    }
  });
  const float stored = isFinite ? scale : largest - largest;
  SINTER_COPY(to + n, &stored, sizeof(stored));
}

/// x and y of the same sizes but the last, along which both are contiguous.
template <class T, int R>
SINTER_FUNCTION void quantizeRows(const View<T, R> &x, const View<int8_t, R> &y) {
  forEachRow(x.sizes, R - 1, [&](const int64_t(&at)[R]) {
    quantizeRow(x.data + placeOf(at, x.strides), x.sizes[R - 1], y.data + placeOf(at, y.strides));
  });
}

} // namespace
} // namespace sinter
