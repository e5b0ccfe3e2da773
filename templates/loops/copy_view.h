// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a tensor with any strides into another, row by row: how kernels begin that change some elements of a copy.
#pragma once

#include "runtime-lite/view.h"
#include "templates/loops/index_walk.h"

namespace sinter {
namespace {

/// The sizes are those of `to`. Views of the same elements are left alone. Dims that both have dense are one row.
template <class From, class To, int R>
SINTER_FUNCTION void copyView(const View<From, R> &from, const View<To, R> &to) {
  if (static_cast<const void *>(from.data) == to.data)
    return;
  int64_t n = 1, rows[R] = {};
  int outer = R; // dims in front of those that are one row
  for (; outer > 0 && (to.sizes[outer - 1] == 1 || (from.strides[outer - 1] == n && to.strides[outer - 1] == n));
       --outer)
    n *= to.sizes[outer - 1];
  for (int d = 0; d < R; ++d)
    rows[d] = d < outer ? to.sizes[d] : 1;
  const bool steps = n == 1 && outer > 0; // along the last of them
  const int64_t last = steps ? to.sizes[outer - 1] : 1;
  const int64_t stepIn = steps ? from.strides[outer - 1] : 1, stepOut = steps ? to.strides[outer - 1] : 1;
  forEachRow(rows, steps ? outer - 1 : -1, [&](const int64_t(&index)[R]) {
    const From *const in = from.data + placeOf(index, from.strides);
    To *const out = to.data + placeOf(index, to.strides);
    if (steps)
      for (int64_t j = 0; j < last; ++j)
        out[j * stepOut] = in[j * stepIn];
    else
      SINTER_COPY(static_cast<void *>(out), in, size_t(n) * sizeof(To));
  });
}

} // namespace
} // namespace sinter
