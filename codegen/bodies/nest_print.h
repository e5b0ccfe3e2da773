// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a nest as the body of a kernel function.
#pragma once

#include "body_printer.h"
#include "codegen/codegen.h"
#include "nest.h"

namespace sinter {
/// With threads the outermost parallel dim is split, if there is enough work.
mlir::LogicalResult printNest(const Nest &nest, KernelFunction &function, const CodegenOptions &options);
/// How the nest runs, for the report: "lanes along dim 2", "scalar loops".
PrintedCode describeNest(const Nest &nest, bool isOnDevice);
} // namespace sinter
