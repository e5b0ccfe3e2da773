// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Products of bytes for the cores "m0", "m3" and "mve" of line_scratch.h.
void packLines(mlir::ModuleOp module, llvm::StringRef kernels);

} // namespace sinter
