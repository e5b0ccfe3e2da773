// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the target has the memory that a planned program lies in.
#pragma once

#include "target/target.h"

#include "diagnostics/diagnostics.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Reports each memory space, and each region of one, that buffers of planned IR lie in and that the target, or the
/// plan, does not have. Whether there are any.
bool reportMissingSpaces(mlir::ModuleOp planned, const Target &target, Diagnostics &diagnostics);

} // namespace sinter
