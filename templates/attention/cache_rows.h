// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of keys and values as a cache holds them in eight bits: n signed bytes, behind them the float that they are
// multiples of, x = byte * scale with scale = max |x| / 127. A row of a cache of floats or halves is its elements.
// quantize_rows.h writes them, attention.h reads them.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// Bytes of a row's scale.
constexpr int64_t kScaleBytes = int64_t(sizeof(float));

template <class T>
constexpr bool kIsByteRow = kSame<T, int8_t> || kSame<T, const int8_t>;

/// How many numbers a row of `elements` elements has.
template <class T>
SINTER_INLINE int64_t numbersOfRow(int64_t elements) {
  return kIsByteRow<T> ? elements - kScaleBytes : elements;
}

/// The scales of n rows of `numbers` numbers; nothing for rows that have none.
template <class T>
SINTER_INLINE void readScales([[maybe_unused]] const T *rows, [[maybe_unused]] int64_t pitch,
                              [[maybe_unused]] int64_t numbers, [[maybe_unused]] int64_t n,
                              [[maybe_unused]] float *scales) {
  if constexpr (kIsByteRow<T>)
    for (int64_t i = 0; i < n; ++i)
      SINTER_COPY(scales + i, rows + i * pitch + numbers, sizeof(float));
}

} // namespace
} // namespace sinter
