// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of bytes that compiler/passes/pack_dual.cpp has packed, as calls of templates/dual_*.h.
#pragma once

#include "dialect.h"
#include "kernel_list.h"

namespace sinter {

/// The epilogue as an object, where packing has moved it into the words; nothing where it is still in the region.
std::optional<Code> printRescale(mlir::Operation *product, KernelFunction &function);

/// `call`: sizes, input, weights and output as conv_kernel.cpp prints them; `rows`: the output rows; `epilogue`.
Printed printDualConv(ConvOp op, KernelFunction &function, const Code &shape, const Code &in, const Code &weights,
                      const Code &out, const Code &rows, const Code &epilogue);

/// `m` rows of `k` bytes.
Printed printDualMatmul(MatmulOp op, KernelFunction &function, const Code &a, const Code &lda, const Code &weights,
                        const Code &c, const Code &ldc, const Code &m, const Code &k, const Code &epilogue);

} // namespace sinter
