// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What flash_attention.h reads and writes of a head: rows of queries, keys and values, a mask, rows of results.
#pragma once

#include "templates/cuda/attention_operands.h"

namespace sinter::cuda {
namespace {

/// What is added to scores: nothing.
struct NoMask {
  static constexpr bool kIsNone = true;
  SINTER_DEVICE float operator()(int, int) const { return 0.0f; }
};
/// A query sees the keys up to its own place, `offset` of which are before the first query.
struct CausalMask {
  static constexpr bool kIsNone = false;
  int offset = 0;
  SINTER_DEVICE float operator()(int query, int key) const { return key <= query + offset ? 0.0f : -infinity(); }
};
/// A number in memory for each query and key; `row`: from a query to the next, 0 where all have the same.
template <class M>
struct AddedMask {
  static constexpr bool kIsNone = false;
  const M *data;
  int64_t row;
  SINTER_DEVICE float operator()(int query, int key) const { return toFloat(data[query * row + key]); }
};

/// Rows of a head: `size` elements each, `stride` apart.
template <class T>
struct HeadRows {
  const T *data;
  int stride, rows, size;
};

/// Where results go: rows of `size` elements, `stride` apart; `zerosMasked`: a row that sees no key is 0, else NaN.
template <class T>
struct HeadResults {
  T *data;
  int stride, rows, size;
  bool zerosMasked;

  /// By what a row's sums are multiplied.
  SINTER_DEVICE float factorOf(float total) const { return zerosMasked && total == 0.0f ? 0.0f : 1.0f / total; }
  /// A run of columns of a row from j on, of its sums.
  template <bool kAligned, int kRun>
  SINTER_DEVICE void store(int row, int j, Pack<float, kRun> run, float factor) const {
    if (row >= rows || j >= size)
      return;
    T *const to = data + int64_t(row) * stride + j;
    SINTER_DEVICE_UNROLL
    for (float &each : run.at)
      each *= factor;
    if (kAligned && size % kRun == 0) {
      ValueProduct<T>::store(to, run);
      return;
    }
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kRun; ++i)
      if (j + i < size)
        to[i] = stored<T>(run.at[i]);
  }
};

} // namespace
} // namespace sinter::cuda
