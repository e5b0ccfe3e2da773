// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following a tensor back through the destinations it is written into: what the placing passes decide by.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace sinter {

/// The operand whose memory `tensor` takes over when the op that makes it works in place; null where the op makes new
/// memory, or only looks at memory (a view).
mlir::OpOperand *updatedOperand(mlir::Value tensor);

/// The tensor that `tensor` is a view of; null if it is none.
mlir::Value viewSource(mlir::Value tensor);

/// The value that `tensor` is an update of: a tensor.empty if its memory can be chosen, else what the memory is
/// already.
mlir::Value originOf(mlir::Value tensor);

/// All values that `tensor` may lie in the memory of, through updates, views and choices.
llvm::SmallVector<mlir::Value> memoryOf(mlir::Value tensor);

/// A copy of `tensor` in memory of its own.
mlir::Value copyOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

/// The size as it is known where the tensor's memory is made; null if only the tensor itself tells.
mlir::OpFoldResult sizeAtOrigin(mlir::OpBuilder &builder, mlir::Value tensor, int64_t dim);

} // namespace sinter
