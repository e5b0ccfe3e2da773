// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "touch_order.h"

#include "memory/aliases.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace sinter {

TouchOrder::TouchOrder(Value root, const OpOrder &order) : order(order) {
  forEachTouch(root, [&](OpOperand &use) { add(use); });
}

void TouchOrder::add(OpOperand &use) {
  if (!touching.insert(&use).second)
    return;
  terminators += isa<RegionBranchTerminatorOpInterface>(use.getOwner());
  std::optional<Footprint> place = footprintOf(cast<MemRefType>(use.get().getType()));
  bool writes = mayWrite(use);
  for (Operation *op = use.getOwner(); op && op->getBlock(); op = op->getParentOp()) {
    InBlock &lines = blocks[op->getBlock()];
    Touch touch{order.numberOf(op), op, &use};
    lines.all[touch] = place;
    if (writes)
      lines.writes[touch] = place;
  }
}

void TouchOrder::remove(OpOperand &use) {
  if (!touching.erase(&use))
    return;
  terminators -= isa<RegionBranchTerminatorOpInterface>(use.getOwner());
  for (Operation *op = use.getOwner(); op && op->getBlock(); op = op->getParentOp()) {
    InBlock &lines = blocks[op->getBlock()];
    Touch touch{order.numberOf(op), op, &use};
    lines.all.erase(touch);
    lines.writes.erase(touch);
  }
}

} // namespace sinter
