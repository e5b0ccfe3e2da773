// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes that compiler/passes/packing/pack_dual.cpp has packed, as calls of templates/dual_*.h.
#pragma once

#include "dialect.h"
#include "kernel_list.h"

namespace sinter {

/// The epilogue. Where packing has moved its rounding into the words it is an object that knows what is left for the
/// region to do, which `printRegion` prints as a lambda.
mlir::FailureOr<Code> printDualEpilogue(mlir::Operation *product, KernelFunction &function,
                                        llvm::function_ref<mlir::FailureOr<Code>()> printRegion);

/// `call`: sizes, input, weights and output as conv_kernel.cpp prints them; `rows`: the output rows; `epilogue`.
Printed printDualConv(ConvOp op, KernelFunction &function, const Code &shape, const Code &in, const Code &weights,
                      const Code &out, const Code &rows, const Code &epilogue);

/// `m` rows of `k` bytes.
Printed printDualMatmul(MatmulOp op, KernelFunction &function, const Code &a, const Code &lda, const Code &weights,
                        const Code &c, const Code &ldc, const Code &m, const Code &k, const Code &epilogue);

} // namespace sinter
