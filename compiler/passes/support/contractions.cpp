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

bool hasTapsOfPlanes(ConvOp conv) {
  auto filter = cast<ShapedType>(conv.getFilter().getType()); // [k, c, taps of depth, y, x]
  return conv.getGroup() == 1 || conv.getDilations()[1] == 1 || filter.getDimSize(3) == 1;
}

} // namespace sinter
