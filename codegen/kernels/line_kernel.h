// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes whose constant operand compiler/passes/packing/support/pack_lines.cpp has packed, as calls of
// templates/lines/line_product.h and depthwise_{lines,columns}.h.
#pragma once

#include "dialect.h"
#include "int_conv_kernel.h"
#include "kernel_list.h"

namespace sinter {

/// Whether `op` was packed for these kernels.
bool isOfLines(ConvOp op);
bool isOfLines(MatmulOp op);

Printed printLineConv(ConvOp op, const Target &target, KernelFunction &function, const IntConvCall &call);
/// `sizes`: m, n, k.
Printed printLineMatmul(MatmulOp op, const Target &target, KernelFunction &function, const Code &a, const Code &lda,
                        const Code &b, const Code &c, const Code &ldc, const Code &sizes, const Code &epilogue);

/// `Requantize{...}` where the epilogue is one and the kernel knows it; nothing for others.
std::optional<Code> printRequantize(mlir::Operation *op, const Target &target, KernelFunction &function);

} // namespace sinter
