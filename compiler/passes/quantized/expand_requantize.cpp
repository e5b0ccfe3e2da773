// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.requantize as the scalar operations that it stands for, for what no kernel takes as an object: kernels of
// im2col rows with vectors (kernels/im2col) take that of their sums as it is, templates/quantized/requantize.h.
#include "passes/passes.h"

#include "ir/requantize.h"
#include "kernels/im2col/support/im2col_core.h"

using namespace mlir;

namespace sinter {

LogicalResult expandRequantize(ModuleOp module, const Target &target) {
  const Im2colCore *core = im2colCore(target);
  module.walk([&](RequantizeOp op) {
    Operation *contraction = op->getParentOp();
    bool isResult = llvm::is_contained(op->getBlock()->getTerminator()->getOperands(), op.getResult());
    bool isPacked = contraction->hasAttr("kernel"); // with bytes for no other
    if (core && core->isVector && isResult && isPacked && RequantizedSum::of(contraction))
      return;
    OpBuilder b(op);
    op.replaceAllUsesWith(Requantize::of(op)->writeExpanded(b, op.getLoc(), op.getType()));
    op.erase();
  });
  return success();
}

} // namespace sinter
