// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tensor.empty per use, one linalg.fill per op that starts from it. A shared empty costs one-shot analysis
// quadratic time (2000 users: minutes instead of milliseconds); a shared fill costs a copy of the filled buffer where
// filling again is as cheap.
#include "passes/passes.h"

#include "ir/ordered_moves.h"

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

/// The part of `value` that is computed and then put back by this use of it, which inserts a slice: in the same tensor
/// that is no copy.
OpOperand *partPutBack(OpOperand &use) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
  if (!insert || &use != &insert.getDestMutable())
    return nullptr;
  auto made = dyn_cast<OpResult>(insert.getSource());
  auto maker = made ? dyn_cast<DestinationStyleOpInterface>(made.getOwner()) : nullptr;
  auto part = maker ? maker.getTiedOpOperand(made)->get().getDefiningOp<tensor::ExtractSliceOp>() : nullptr;
  return part && part.getSource() == use.get() ? &part.getSourceMutable() : nullptr;
}

/// The user that is ahead of all others; null where they are in several blocks.
Operation *firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (first && user->getBlock() != first->getBlock())
      return nullptr;
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  return first;
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
  for (Operation *empty : empties)
    for (Operation *user : llvm::to_vector(empty->getUsers()))
      if (isa<tensor::ExtractSliceOp>(user) && !user->use_empty())
        if (SmallVector<OpOperand *> uses = usesAsInit(user->getResult(0)); uses.size() > 1)
          cloneForUses(user, ArrayRef(uses).drop_front());
  for (Operation *empty : empties) {
    SmallVector<OpOperand *> uses;
    SmallVector<std::pair<OpOperand *, OpOperand *>> putBack;
    for (OpOperand &use : empty->getUses())
      if (OpOperand *part = partPutBack(use))
        putBack.emplace_back(&use, part);
      else
        uses.push_back(&use);
    if (!uses.empty())
      cloneForUses(empty, ArrayRef(uses).drop_front());
    for (auto [use, part] : putBack)
      use->set(part->get());
    // What is left outside of the branch that uses it could not become the buffer in which branches meet.
    if (Operation *first = firstUser(empty); first && first->getBlock() != empty->getBlock())
      moveInFrontOf(empty, first);
  }
  for (Operation *op : llvm::concat<Operation *>(fills, empties))
    if (op->use_empty())
      op->erase();
  return success();
}
