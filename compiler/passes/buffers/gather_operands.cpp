// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel needs dense must be dense: a view with gaps (every second column; channels that a reshape made the
// innermost dim; a part of a filter) is copied first, and what the kernel writes to such a view is copied there behind
// it. Where values are made, place_destinations.cpp and drop_copies.cpp see to it that this is rare;
// memory/check_strides.cpp looks at the outcome.
#include "passes/passes.h"

#include "ir/dense_dims.h"
#include "kernels/direct/support/matmul_strides.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

/// Memory of the view's shape, without gaps.
Value dense(OpBuilder &b, Location loc, Value view) {
  auto type = cast<MemRefType>(view.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(b.create<memref::DimOp>(loc, view, d));
  auto own = MemRefType::get(type.getShape(), type.getElementType());
  return b.create<memref::AllocOp>(loc, own, sizes, b.getI64IntegerAttr(64));
}

void copyOperand(OpBuilder &b, Location loc, Value from, Value to) {
  b.create<memref::CopyOp>(loc, from, to)
      ->setAttr("sinter.reason", b.getStringAttr("the kernel needs it without gaps"));
}

void gather(OpOperand &operand) {
  Operation *op = operand.getOwner();
  OpBuilder b(op);
  Value view = operand.get(), buffer = dense(b, op->getLoc(), view);
  if (cast<DestinationStyleOpInterface>(op).isDpsInit(&operand)) {
    b.setInsertionPointAfter(op);
    copyOperand(b, op->getLoc(), buffer, view);
  } else {
    copyOperand(b, op->getLoc(), view, buffer);
  }
  operand.set(buffer);
}

/// The left-hand side row by row, whichever way it lies.
void layRowsOut(MatmulOp op) {
  OpOperand &operand = op->getOpOperand(0);
  if (!op.getTransposeLhs())
    return gather(operand);
  OpBuilder b(op);
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, cast<MemRefType>(op.getLhs().getType()).getRank()));
  std::swap(order.rbegin()[0], order.rbegin()[1]);
  Value rows = b.create<memref::TransposeOp>(op.getLoc(), op.getLhs(),
                                             AffineMapAttr::get(AffineMap::getPermutationMap(order, b.getContext())));
  operand.set(rows);
  op.setTransposeLhs(false);
  gather(operand);
}

/// Products in tiles read a right-hand side that is made at run time along its rows or its columns.
void gatherProduct(MatmulOp op, const Target &target) {
  StringRef whyNot;
  KernelAttr packed = op.getKernelAttr();
  if (!packed && !takesTiles(op, whyNot))
    return;
  if (MatmulStrides strides = stridesOf(op); !packed && strides.rhsRow != 1 && strides.rhsColumn != 1)
    gather(op->getOpOperand(1));
  if (!takesLhsElements(op, target) && stridesOf(op).lhsColumn != 1)
    layRowsOut(op);
}
} // namespace

LogicalResult gatherOperands(ModuleOp module, const Target &target) {
  SmallVector<OpOperand *> apart;
  module.walk([&](DestinationStyleOpInterface op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto type = dyn_cast<MemRefType>(operand.get().getType()); type && !isDense(type, denseDims(operand)))
        apart.push_back(&operand);
  });
  llvm::for_each(apart, [](OpOperand *operand) { gather(*operand); });
  module.walk([&](MatmulOp op) {
    if (isa<MemRefType>(op.getLhs().getType()))
      gatherProduct(op, target);
  });
  return success();
}

} // namespace sinter
