// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a tensor with any strides into another, row by row: how kernels begin that change some elements of a copy.
#pragma once

#include "runtime-lite/view.h"
#include "templates/loops/copy_bytes.h"
#include "templates/loops/index_walk.h"

namespace sinter {
namespace {

/// The sizes are those of `to`. Views of the same elements are left alone.
template <class From, class To, int R>
SINTER_FUNCTION void copyView(const View<From, R> &from, const View<To, R> &to) {
  if (static_cast<const void *>(from.data) == to.data)
    return;
  // The last dims that lie in both without gaps are one row: slices may be of single elements.
  int outer = R;
  int64_t row = 1;
  for (; outer > 0 && (to.sizes[outer - 1] == 1 || (from.strides[outer - 1] == row && to.strides[outer - 1] == row));
       --outer)
    row *= to.sizes[outer - 1];
  const int apart = row == 1 ? outer - 1 : -1; // along which elements go one by one
  int64_t sizes[R];
  for (int d = 0; d < R; ++d)
    sizes[d] = d < outer || row == 0 ? to.sizes[d] : 1;
  const int64_t n = apart < 0 ? row : to.sizes[apart], stepIn = apart < 0 ? 1 : from.strides[apart],
                stepOut = apart < 0 ? 1 : to.strides[apart];
  forEachRow(sizes, apart, [&](const int64_t(&index)[R]) {
    const From *const in = from.data + placeOf(index, from.strides);
    To *const out = to.data + placeOf(index, to.strides);
    if (apart < 0)
      copyBytes(static_cast<void *>(out), in, size_t(n) * sizeof(To));
    else
      for (int64_t j = 0; j < n; ++j)
        out[j * stepOut] = in[j * stepIn];
  });
}

} // namespace
} // namespace sinter
