// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the places of an index space but for one dim: what kernels along an axis of a tensor with any strides need.
#pragma once

#include "runtime-lite/types.h"
#include "runtime-lite/view.h"

namespace sinter {
namespace {

/// Coordinates of a line along `axis`, counted like an odometer, the last dim fastest.
template <int Rank>
struct Odometer {
  int64_t at[Rank > 0 ? Rank : 1] = {};

  /// The next line; false after the last.
  template <class T>
  SINTER_HOST_DEVICE bool next(const View<T, Rank> &view, int64_t axis) {
    for (int d = Rank - 1; d >= 0; --d) {
      if (d == axis)
        continue;
      if (++at[d] < view.sizes[d])
        return true;
      at[d] = 0;
    }
    return false;
  }
  /// The first element of the line. at[axis] is 0.
  template <class T>
  SINTER_HOST_DEVICE T *start(const View<T, Rank> &view) const {
    T *p = view.data;
    for (int d = 0; d < Rank; ++d)
      p += at[d] * view.strides[d];
    return p;
  }
};

} // namespace
} // namespace sinter
