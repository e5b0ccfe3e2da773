// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop nest folds its elements by: a reduction whose order is free may be shared by lanes, threads and blocks.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

/// The associative operation that merges one value into the only output, if that is all the output is used for and the
/// order rounds no more than the accumulator's type does: sums and products of halves stay in their order, as each of
/// their steps is rounded.
mlir::Operation *combinerOf(mlir::linalg::GenericOp op);

} // namespace sinter
