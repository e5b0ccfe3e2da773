// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a tensor with any strides into another, row by row: how kernels begin that change some elements of a copy.
#pragma once

#include "runtime-lite/view.h"
#include "templates/loops/index_walk.h"

namespace sinter {
namespace {

/// The sizes are those of `to`. Views of the same elements are left alone.
template <class From, class To, int R>
SINTER_FUNCTION void copyView(const View<From, R> &from, const View<To, R> &to) {
  if (static_cast<const void *>(from.data) == to.data)
    return;
  const int64_t n = to.sizes[R - 1], stepIn = from.strides[R - 1], stepOut = to.strides[R - 1];
  forEachRow(to.sizes, R - 1, [&](const int64_t(&index)[R]) {
    const From *const in = from.data + placeOf(index, from.strides);
    To *const out = to.data + placeOf(index, to.strides);
    if (stepIn == 1 && stepOut == 1)
      SINTER_COPY(static_cast<void *>(out), in, size_t(n) * sizeof(To));
    else
      for (int64_t j = 0; j < n; ++j)
        out[j * stepOut] = in[j * stepIn];
  });
}

} // namespace
} // namespace sinter
