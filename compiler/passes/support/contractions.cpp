// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contractions.h"

#include "interpreter/interpreter.h"

using namespace mlir;

namespace sinter {

SmallVector<Operation *> contractionsOf(ModuleOp module) {
  SmallVector<Operation *> contractions;
  EvaluationCache cache;
  module.walk([&](Operation *op) {
    if (isa<ConvOp, MatmulOp>(op) && !(op->getNumResults() && isConstant(op->getResult(0), cache)))
      contractions.push_back(op);
  });
  return contractions;
}

} // namespace sinter
