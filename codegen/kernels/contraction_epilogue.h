// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The epilogue of a contraction as the argument of its kernel: an object where kernels know what is to be done, else a
// lambda.
#pragma once

#include "dialect.h"
#include "kernel_list.h"
#include "kernels/contraction_call.h"

namespace sinter {

/// `printRegion` prints the epilogue's region as a lambda.
mlir::FailureOr<Code> printContractionEpilogue(ConvOp op, const ContractionCall &call, KernelFunction &function,
                                               llvm::function_ref<mlir::FailureOr<Code>()> printRegion);
mlir::FailureOr<Code> printContractionEpilogue(MatmulOp op, const ContractionCall &call, KernelFunction &function,
                                               llvm::function_ref<mlir::FailureOr<Code>()> printRegion);

} // namespace sinter
