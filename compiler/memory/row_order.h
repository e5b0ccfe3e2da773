// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op walks through an input and its output where it promises an order (kernels/kernel_order.h; loop nests go
// element by element), and how far the output must lie below the input so that nothing is overwritten that is still to
// be read.
#pragma once

#include "kernels/kernel_order.h"
#include "target/target.h"
#include "target/wishes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace sinter {

/// An op that goes through rows (or pixels, or elements) from the first to the last.
struct RowWalk {
  Order order = Order::Held;
  int64_t step = 1;               ///< rows of the output that are made at a time
  int64_t rows = 0, rowBytes = 0; ///< of the output
  int64_t inRows = 0, inRowBytes = 0;
  int64_t stride = 1, extent = 1, pad = 0; ///< which rows of the input a row of the output needs
  int64_t grain = 1; ///< bytes: the output lies a multiple of it below the input (channels stay apart)
};

/// The walk of the only input that `op` reads so; nullopt where it promises nothing. On tensors, which are not packed
/// for good and have no scratch yet, it is an estimate.
std::optional<RowWalk> rowWalkOf(mlir::DestinationStyleOpInterface op, mlir::OpOperand &input, const Target &target,
                                 Threads threads);

/// Of a walk that is gone through: bounds the time. Of more rows nothing is shared.
constexpr int64_t mostRows = int64_t(1) << 22;

/// The least d, perhaps negative: an output at most at (input's place - d) overwrites nothing that is read later. No
/// more than the output's bytes.
int64_t distanceOf(const RowWalk &walk);

} // namespace sinter
