// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "move_to_space.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

/// Its types say nothing of the operand alone.
static bool handsOn(Operation *op) {
  return isa<RegionBranchOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

void moveToSpace(Value buffer, SpaceAttr space) {
  SmallVector<Value> views{buffer};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    auto before = cast<MemRefType>(view.getType());
    view.setType(inSpace(before, space));
    for (OpOperand &use : llvm::make_early_inc_range(view.getUses())) {
      Operation *op = use.getOwner();
      if (isa<memref::MemorySpaceCastOp>(op))
        continue;
      if (isa<ViewLikeOpInterface, memref::TransposeOp>(op)) { // upstream does not call a transpose a view
        views.push_back(op->getResult(0));
      } else if (handsOn(op)) {
        OpBuilder builder(op);
        use.set(builder.create<memref::MemorySpaceCastOp>(op->getLoc(), before, view));
      }
    }
  }
}

} // namespace sinter
