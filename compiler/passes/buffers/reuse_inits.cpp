// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In loops, an elementwise op writes over the carried tensor that it is the last to read, so that what is carried on is
// in its place already. (Outside of loops the memory plan sees to that.)
#include "passes/passes.h"

#include "ir/destinations.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

bool isLastUse(OpOperand &use) {
  Operation *op = use.getOwner();
  return llvm::all_of(use.get().getUses(), [&](OpOperand &other) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*other.getOwner());
    return &other == &use || (user && user->isBeforeInBlock(op));
  });
}

/// Precondition: all loops are parallel, the destination's contents do not matter, input and output have one type and
/// map.
bool mayWriteOver(linalg::GenericOp op, OpOperand &input) {
  OpOperand &init = *op.getDpsInitOperand(0);
  return op->getNumResults() == 1 && op.getNumLoops() == op.getNumParallelLoops() &&
         !op.payloadUsesValueFromOperand(&init) && originOf(init.get()).getDefiningOp<tensor::EmptyOp>() &&
         input.get().getType() == init.get().getType() &&
         op.getMatchingIndexingMap(&input) == op.getMatchingIndexingMap(&init) &&
         op.getMatchingIndexingMap(&init).isPermutation() && isLastUse(input);
}

} // namespace

LogicalResult sinter::reuseInits(ModuleOp module) {
  module.walk<WalkOrder::PreOrder>([](linalg::GenericOp op) {
    if (!isa<LoopLikeOpInterface>(op->getParentOp()))
      return;
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto carried = dyn_cast<BlockArgument>(originOf(input->get()));
      if (carried && carried.getOwner() == op->getBlock() && isa<RankedTensorType>(carried.getType()) &&
          mayWriteOver(op, *input)) {
        op.getDpsInitOperand(0)->set(input->get());
        return;
      }
    }
  });
  return success();
}
