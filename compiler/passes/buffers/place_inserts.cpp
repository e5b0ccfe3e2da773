// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor inserted into a filled one (a padding) is made there: the filled tensor moves in front of the op that makes
// the part, the insert right behind it. Then bufferization lets that op write into its place. Concatenations:
// place_concats.cpp.
#include "passes/passes.h"

#include "ir/destinations.h"
#include "ir/ordered_moves.h"

#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Moves `value`, if only fills and empties stand between it and what is known in front of `point`.
bool moveBefore(Value value, Operation *point, DominanceInfo &dominance, bool apply) {
  if (dominance.properlyDominates(value, point))
    return true;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(op) || op->getBlock() != point->getBlock() ||
      !value.hasOneUse() ||
      !llvm::all_of(op->getOperands(), [&](Value operand) { return moveBefore(operand, point, dominance, apply); }))
    return false;
  if (apply)
    moveInFrontOf(op, point);
  return true;
}

} // namespace

LogicalResult sinter::placeInserts(ModuleOp module) {
  SmallVector<tensor::InsertSliceOp> inserts;
  module.walk([&](tensor::InsertSliceOp insert) { inserts.push_back(insert); });
  DominanceInfo dominance;
  for (tensor::InsertSliceOp insert : inserts) {
    Operation *producer = insert.getSource().getDefiningOp();
    // Precondition: the part is for the insert only, its memory can be chosen, and all that the insert needs is there
    // before it.
    if (!producer || producer->getBlock() != insert->getBlock() || !insert.getSource().hasOneUse() ||
        !originOf(insert.getSource()).getDefiningOp<tensor::EmptyOp>() ||
        !llvm::all_of(insert->getOperands().drop_front(2),
                      [&](Value value) { return dominance.properlyDominates(value, producer); }) ||
        !moveBefore(insert.getDest(), producer, dominance, /*apply=*/false))
      continue;
    moveBefore(insert.getDest(), producer, dominance, /*apply=*/true);
    moveBehind(insert, producer);
  }
  return success();
}
