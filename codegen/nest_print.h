// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a nest as the body of a kernel function.
#pragma once

#include "body_printer.h"
#include "nest.h"

namespace sinter {
mlir::LogicalResult printNest(const Nest &nest, KernelFunction &function, IndexCheck indexCheck);
/// How the nest runs, for the report: "lanes along dim 2", "scalar loops".
Code describeNest(const Nest &nest);
} // namespace sinter
