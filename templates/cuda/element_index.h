// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of an element among those of a view, row by row, as its index: what kernels need that give a thread to
// each element.
#pragma once

#include "templates/cuda/device.h"
#include "templates/loops/index_walk.h"

namespace sinter::cuda {
namespace {

/// False past the last element.
template <int R>
SINTER_DEVICE bool indexOf(int64_t element, const int64_t (&sizes)[R], int64_t (&index)[R]) {
  for (int d = R; d-- > 0;) {
    if (sizes[d] == 0)
      return false;
    index[d] = element % sizes[d];
    element /= sizes[d];
  }
  return element == 0;
}

} // namespace
} // namespace sinter::cuda
