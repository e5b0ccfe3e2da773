// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model's nodes need and never get. Conversion refuses sizes that contradict each other in types; others show
// only once loops are unrolled and constants folded.
#pragma once

#include "ir/dialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace sinter {

/// The assertions that each call meets and that are false for all inputs.
llvm::SmallVector<mlir::cf::AssertOp> contradictionsIn(mlir::ModuleOp module);

} // namespace sinter
