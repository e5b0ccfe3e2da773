// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why memory could not be planned: sizes that only data decide and that nothing bounds.
#pragma once

#include "diagnostics/diagnostics.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Reports each node that makes a buffer without a bound on its size, as buffer IR has them.
void reportUnboundedSizes(mlir::ModuleOp module, Diagnostics &diagnostics);

} // namespace sinter
