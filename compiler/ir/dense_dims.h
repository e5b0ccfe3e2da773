// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an operand may lie in memory. Loop nests and most kernels take any strides; kernels that go along rows need a
// contiguous last dim, and those that count through a whole tensor need all of it. Passes that choose where values lie
// ask here (place-destinations, gather-operands), and so does the check of their work.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace sinter {

class KernelOp;

/// Kernels that go along rows, each contiguous, which lie apart as they may.
bool takesStridedRows(KernelOp kernel);

/// How many innermost dims of this operand must be dense: 0, 1, or all of them.
int64_t denseDims(mlir::OpOperand &operand);

/// Are the `dims` innermost dims in row-major order without gaps? False if strides known at run time only leave it
/// open.
bool isDense(mlir::MemRefType type, int64_t dims);

} // namespace sinter
