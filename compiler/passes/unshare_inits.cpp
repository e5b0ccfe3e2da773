// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tensor.empty per use, one linalg.fill per op that starts from it. A shared empty costs one-shot analysis
// quadratic time (2000 users: minutes instead of milliseconds); a shared fill costs a copy of the filled buffer where
// filling again is as cheap.
#include "passes.h"

using namespace mlir;

namespace {

/// Uses in which the value is what an op writes over.
SmallVector<OpOperand *> usesAsInit(Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner()); dps && dps.isDpsInit(&use))
      uses.push_back(&use);
  return uses;
}

/// Every use but one gets its own copy of `op`, right before the user.
void cloneForUses(Operation *op, ArrayRef<OpOperand *> uses) {
  OpBuilder builder(op->getContext());
  for (OpOperand *use : uses) {
    builder.setInsertionPoint(use->getOwner());
    use->set(builder.clone(*op)->getResult(0));
  }
}

} // namespace

LogicalResult sinter::unshareInits(ModuleOp module) {
  SmallVector<Operation *> fills, empties;
  module.walk([&](Operation *op) {
    if (isa<linalg::FillOp>(op) && op->getNumResults())
      fills.push_back(op);
  });
  for (Operation *fill : fills)
    if (SmallVector<OpOperand *> uses = usesAsInit(fill->getResult(0)); !fill->getResult(0).hasOneUse())
      cloneForUses(fill, uses);
  module.walk([&](tensor::EmptyOp op) { empties.push_back(op); });
  for (Operation *empty : empties) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : llvm::drop_begin(empty->getUses()))
      uses.push_back(&use);
    cloneForUses(empty, uses);
    // What is left outside of the branch that uses it could not become the buffer in which branches meet.
    if (!empty->use_empty() && empty->user_begin()->getBlock() != empty->getBlock())
      empty->moveBefore(*empty->user_begin());
  }
  for (Operation *op : llvm::concat<Operation *>(fills, empties))
    if (op->use_empty())
      op->erase();
  return success();
}
