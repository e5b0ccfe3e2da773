// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks an index space of any rank, one dim left out: how kernels that work along an axis visit all rows.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// visit(index) for each index with index[skip] = 0, in row-major order; skip -1 leaves out none.
template <int R, class Visit>
SINTER_FUNCTION void forEachRow(const int64_t (&sizes)[R], int skip, Visit visit) {
  int64_t index[R] = {};
  for (int d = 0; d < R; ++d)
    if (d != skip && sizes[d] == 0)
      return;
  for (;;) {
    visit(index);
    int d = R - 1;
    for (; d >= 0; --d) {
      if (d == skip)
        continue;
      if (++index[d] < sizes[d])
        break;
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

/// The place of an index in a view, in elements.
template <int R>
SINTER_FUNCTION int64_t placeOf(const int64_t (&index)[R], const int64_t (&strides)[R]) {
  int64_t place = 0;
  for (int d = 0; d < R; ++d)
    place += index[d] * strides[d];
  return place;
}

} // namespace
} // namespace sinter
