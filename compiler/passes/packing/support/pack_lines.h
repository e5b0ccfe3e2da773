// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/lines/support/line_core.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"

namespace sinter {

/// Products of bytes for ByteKernels::Lines.
void packLines(mlir::ModuleOp module, const LineCore &core, Requant requant);

} // namespace sinter
