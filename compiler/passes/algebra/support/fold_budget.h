// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be computed at compile time, in work and in memory: in proportion to the weights that the model brings, so
// that a small model cannot cost much. What is beyond it is computed at run time, which a note says.
#pragma once

#include "interpreter/interpreter.h"
#include "target/wishes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sinter {

/// Steps without regard to weights; --fold-limit gives another number.
constexpr int64_t defaultFoldSteps = int64_t(1) << 28;

class FoldBudget {
public:
  FoldBudget(mlir::func::FuncOp function, FoldLimit limit);
  /// Takes the op's work from what is left; false: it stays at run time.
  bool allows(mlir::Operation *op, EvaluationCache &cache);

private:
  int64_t steps, bytes; ///< left for all ops; of one result
};

} // namespace sinter
