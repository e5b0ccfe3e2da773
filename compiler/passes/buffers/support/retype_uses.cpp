// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "retype_uses.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {

/// Kernels go along the innermost dim by vectors, and blocks of channels; only loop nests have a stride there.
static bool isInnermostGapless(MemRefType type) {
  auto [strides, offset] = getStridesAndOffset(type);
  for (auto [size, stride] : llvm::reverse(llvm::zip(type.getShape(), strides)))
    if (size != 1)
      return stride == 1;
  return true;
}

bool retypeUses(Value value, MemRefType type, bool apply) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    MemRefType viewType;
    if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      viewType = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
          view.getType().getShape(), type, view.getMixedOffsets(), view.getMixedSizes(), view.getMixedStrides()));
    } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
      if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, collapse.getReassociationIndices()))
        return false;
      viewType = memref::CollapseShapeOp::computeCollapsedType(type, collapse.getReassociationIndices());
    } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
      FailureOr<MemRefType> expanded = memref::ExpandShapeOp::computeExpandedType(
          type, expand.getResultType().getShape(), expand.getReassociationIndices());
      if (failed(expanded))
        return false;
      viewType = *expanded;
    } else if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
      return false; // counts from the root
    } else {
      return isa<linalg::LinalgOp, memref::CopyOp, memref::LoadOp, memref::StoreOp, memref::DimOp>(op) ||
             (isa<DestinationStyleOpInterface>(op) && isInnermostGapless(type));
    }
    if (apply)
      op->getResult(0).setType(viewType);
    return retypeUses(op->getResult(0), viewType, apply);
  });
}

} // namespace sinter
