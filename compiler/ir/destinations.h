// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following a tensor back through the destinations it is written into: what the placing passes decide by.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace sinter {

/// The value that `tensor` is an update of: a tensor.empty if its memory can be chosen, else what the memory is
/// already.
mlir::Value originOf(mlir::Value tensor);

/// The size as it is known where the tensor's memory is made; null if only the tensor itself tells.
mlir::OpFoldResult sizeAtOrigin(mlir::OpBuilder &builder, mlir::Value tensor, int64_t dim);

} // namespace sinter
