// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the target has the libraries that a program calls (ir/libraries.h): one without an operating system has none.
#pragma once

#include "diagnostics/diagnostics.h"
#include "target/target.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Reports each node whose ops call a library that the target does not have. Whether there are any.
bool reportMissingLibraries(mlir::ModuleOp planned, const Target &target, Diagnostics &diagnostics);

} // namespace sinter
