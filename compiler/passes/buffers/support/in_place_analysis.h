// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operands bufferization updates in place.
#pragma once

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sinter {

/// One-shot analysis, in time that grows with the number of ops: upstream's compares all reads with all writes of what
/// may lie in one buffer, for each operand again, so that the time for a concatenation of n parts grows with n^4.
mlir::LogicalResult decideInPlace(mlir::func::FuncOp function, mlir::bufferization::OneShotAnalysisState &state);

} // namespace sinter
