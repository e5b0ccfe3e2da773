// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops by which rows of a cache get somewhere, each row as a whole: which of their operands are such rows, and what
// these become a part of. cache_values.h follows them.
#pragma once

#include "mlir/IR/Operation.h"

namespace sinter {

/// Of what chooses each row of its result from two operands, by what does not depend on the place in a row (Where):
/// these operands; of other ops none. `size`: numbers of a row.
llvm::SmallVector<mlir::OpOperand *> chosenRows(mlir::Operation *op, int64_t size);

/// The operands of an op that become a part of what it gives: rows that are put in, joined or chosen, what a loop
/// carries.
void forEachCarried(mlir::Operation *op, int64_t size, llvm::function_ref<void(mlir::OpOperand &)> visit);

/// What such an operand becomes a part of.
mlir::Value slotOf(mlir::OpOperand &use);

} // namespace sinter
