// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a convolution is in a call that computes several: its operands and its epilogue.
#pragma once

#include "codegen/codegen.h"
#include "ir/dialect.h"
#include "kernel_function.h"

namespace sinter {

struct ConvParts {
  PrintedCode input, output; ///< null pointers where they are held in the launch
  PrintedCode filter, epilogue;
  SizeExpr images, outputPixel; ///< elements from an output pixel to the next
};

mlir::FailureOr<ConvParts> printConvParts(ConvOp op, const CodegenOptions &options, KernelFunction &function);

} // namespace sinter
