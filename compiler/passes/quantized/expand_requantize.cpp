// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.requantize as the scalar operations that it stands for, but where the contraction's kernel takes that of its
// sums as it is: the kernel's record says so (kernels/kernel.h).
#include "passes/passes.h"

#include "ir/requantize.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {

LogicalResult expandRequantize(ModuleOp module, const Target &target) {
  module.walk([&](RequantizeOp op) {
    Operation *parent = op->getParentOp();
    bool isResult = llvm::is_contained(op->getBlock()->getTerminator()->getOperands(), op.getResult());
    if (isResult && takesRequantize(parent, target) && RequantizedSum::of(parent))
      return;
    OpBuilder b(op);
    op.replaceAllUsesWith(Requantize::of(op)->writeExpanded(b, op.getLoc(), op.getType()));
    op.erase();
  });
  return success();
}

} // namespace sinter
