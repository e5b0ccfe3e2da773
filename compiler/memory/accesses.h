// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the ops of planned IR read and write the bytes of their operands in one call of the model: what decides who
// lies in fast memory. An estimate, of kernels with register blocks; only its order matters.
#pragma once

#include "ir/work.h"
#include "mlir/IR/Operation.h"

namespace sinter {

/// Bytes read or written through the operand, a buffer, in one call, loops around the op included. A byte that is read
/// three times counts three times.
double accessedBytes(mlir::OpOperand &operand, Work &work);

} // namespace sinter
