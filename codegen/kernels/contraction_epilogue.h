// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a contraction as the argument of its kernel: an object where kernels know what is to be done, else a
// lambda.
#pragma once

#include "dialect.h"
#include "ir/dialect.h"
#include "kernel_list.h"
#include "target/target.h"

namespace sinter {

/// `printRegion` prints the epilogue's region as a lambda.
mlir::FailureOr<PrintedCode> printContractionEpilogue(ConvOp op, const Target &target, KernelFunction &function,
                                                      llvm::function_ref<mlir::FailureOr<PrintedCode>()> printRegion);
mlir::FailureOr<PrintedCode> printContractionEpilogue(MatmulOp op, const Target &target, KernelFunction &function,
                                                      llvm::function_ref<mlir::FailureOr<PrintedCode>()> printRegion);

} // namespace sinter
