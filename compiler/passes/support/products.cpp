// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "products.h"

#include "interpreter/interpreter.h"

using namespace mlir;

namespace sinter {

SmallVector<Operation *> productsOf(ModuleOp module) {
  SmallVector<Operation *> products;
  EvaluationCache cache;
  module.walk([&](Operation *op) {
    if (isa<ConvOp, MatmulOp>(op) && !(op->getNumResults() && isConstant(op->getResult(0), cache)))
      products.push_back(op);
  });
  return products;
}

} // namespace sinter
