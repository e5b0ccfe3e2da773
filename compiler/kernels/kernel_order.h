// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels promise of the order in which they read their input and write their output (one thread, from the top),
// so that the output may lie over an input that ends there. The memory plan counts on it, and its checker; both take no
// more than this from a kernel. test/templates/row_orders.test.cpp runs each at the least distance.
#pragma once

#include <cstdint>

namespace sinter {

/// Held     steps of rows; of 1x1 windows with stride 1, of pixels. Before a step writes, all that it needs is
///          read, and no row is ever read again
/// Rows     steps of rows: what a step needs is read before it writes; the next one reads its whole windows again
/// Planes   the same channel after channel, so that bytes of one channel must never be another's
/// Windows  steps of so many rows (1x1 with stride 1: pixels), whose windows are read again while they are
///          written; none of an earlier step is
enum class Order { Held, Rows, Planes, Windows };

struct KernelOrder {
  Order order;
  int64_t rows, pixels;     ///< of a step
  bool holdsPixels = false; ///< pixels are copied to scratch first: with 1x1 windows and stride 1 Windows is Held
};

} // namespace sinter
