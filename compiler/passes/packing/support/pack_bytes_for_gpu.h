// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant operands of contractions of bytes in the order that the kernels of GPUs read (compiler/kernels/cuda), which
// is that of halves (pack_for_gpu.h), as signed bytes without a zero point. The zero point of the other operand goes
// into the epilogue, times the sum of the weights; a convolution reads it where its input ends.
#pragma once

#include "ir/dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "target/target.h"

namespace sinter {

void packBytesForGpu(mlir::ModuleOp module, const Target &target);

} // namespace sinter
