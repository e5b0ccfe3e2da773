// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a row tile hands on to the next one: the last rows of a window over a feature map become its first.
#pragma once

#include "runtime-lite/view.h"
#include <string.h>

namespace sinter {
namespace {

struct SlideRowsParams {
  int64_t dim; ///< of the rows
};

/// Rows shift .. shift + keep - 1 of the window move to rows 0 .. keep - 1; what is behind them is undefined. Rows
/// (with all dims behind them) are dense.
template <class T, int Rank>
SINTER_HOST_DEVICE void slideRows(const SlideRowsParams &params, int64_t shift, int64_t keep, View<T, Rank> window) {
  if (keep <= 0 || shift <= 0)
    return;
  const int64_t row = window.strides[params.dim];
  int64_t outer = 1; // batch and channel blocks
  for (int64_t d = 0; d < params.dim; ++d)
    outer *= window.sizes[d];
  for (int64_t i = 0; i < outer; ++i) {
    T *rows = window.data;
    for (int64_t d = params.dim - 1, rest = i; d >= 0; --d) {
      rows += rest % window.sizes[d] * window.strides[d];
      rest /= window.sizes[d];
    }
    memmove(rows, rows + shift * row, static_cast<size_t>(keep * row) * sizeof(T));
  }
}

} // namespace
} // namespace sinter
