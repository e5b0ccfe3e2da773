// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a product as the argument of its kernel: an object where kernels know what is to be done, else a
// lambda.
#pragma once

#include "dialect.h"
#include "kernel_list.h"
#include "kernels/product_call.h"

namespace sinter {

/// `printRegion` prints the epilogue's region as a lambda.
mlir::FailureOr<Code> printProductEpilogue(ConvOp op, const ProductCall &call, KernelFunction &function,
                                           llvm::function_ref<mlir::FailureOr<Code>()> printRegion);
mlir::FailureOr<Code> printProductEpilogue(MatmulOp op, const ProductCall &call, KernelFunction &function,
                                           llvm::function_ref<mlir::FailureOr<Code>()> printRegion);

} // namespace sinter
