// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic time warping (H. Sakoe, S. Chiba, 1978): the path from the first to the last element of a matrix of costs
// whose sum is the least, by steps to the next row, the next column, or both.
#pragma once

#include "runtime-lite/view.h"

namespace sinter {
namespace {

enum : int8_t { stepBoth, stepRow, stepColumn };

/// `sums` and `steps` [M + 1, N + 1] are work space; path [2, M + N - 1], of which `length` columns are used.
template <class X>
SINTER_FUNCTION void timeWarp(const View<const X, 2> &costs, const View<int32_t, 2> &path,
                              const View<int64_t, 0> &length, const View<X, 2> &sums, const View<int8_t, 2> &steps) {
  const int64_t rows = costs.sizes[0], columns = costs.sizes[1];
  const X never = static_cast<X>(SINTER_INFINITY);
  const auto sum = [&](int64_t i, int64_t j) -> X & { return sums.data[i * sums.strides[0] + j * sums.strides[1]]; };
  const auto step = [&](int64_t i, int64_t j) -> int8_t & {
    return steps.data[i * steps.strides[0] + j * steps.strides[1]];
  };
  for (int64_t i = 0; i <= rows; ++i)
    sum(i, 0) = never;
  for (int64_t j = 0; j <= columns; ++j)
    sum(0, j) = never;
  sum(0, 0) = 0;
  for (int64_t j = 1; j <= columns; ++j)
    for (int64_t i = 1; i <= rows; ++i) {
      const X both = sum(i - 1, j - 1), row = sum(i - 1, j), column = sum(i, j - 1);
      step(i, j) = both < row && both < column ? stepBoth : row < both && row < column ? stepRow : stepColumn;
      const X least = step(i, j) == stepBoth ? both : step(i, j) == stepRow ? row : column;
      sum(i, j) = least + costs.data[(i - 1) * costs.strides[0] + (j - 1) * costs.strides[1]];
    }
  // Back from the end: once for the length, once for the path.
  const auto walk = [&](auto visit) {
    for (int64_t i = rows, j = columns; i > 0 && j > 0;) {
      visit(static_cast<int32_t>(i - 1), static_cast<int32_t>(j - 1));
      const int8_t taken = step(i, j);
      i -= taken != stepColumn;
      j -= taken != stepRow;
    }
  };
  int64_t count = 0;
  walk([&](int32_t, int32_t) { ++count; });
  *length.data = count;
  walk([&](int32_t i, int32_t j) {
    --count;
    path.data[count * path.strides[1]] = i;
    path.data[path.strides[0] + count * path.strides[1]] = j;
  });
}

} // namespace
} // namespace sinter
