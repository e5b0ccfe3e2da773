// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings planned IR to the few forms that are printed: named linalg ops and memref.copy become linalg.generic.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace sinter {
mlir::LogicalResult prepareForPrinting(mlir::ModuleOp module);
} // namespace sinter
