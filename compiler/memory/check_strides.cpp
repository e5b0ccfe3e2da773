// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass check-strides: on every compile, a look at how the operands of kernels lie. What a kernel needs dense
// (ir/dense_dims.h) is dense; all else has its strides in its view. Precondition: operands are memrefs.
#include "ir/dense_dims.h"
#include "passes.h"

using namespace mlir;

LogicalResult sinter::checkStrides(ModuleOp module) {
  bool valid = true;
  module.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type || isDense(type, denseDims(operand)))
        continue;
      op->emitError("internal error: operand ") << operand.getOperandNumber() << " has gaps";
      valid = false;
    }
  });
  return success(valid);
}
