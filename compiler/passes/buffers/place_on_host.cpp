// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On GPUs: what ops of the host (ir/host_ops.h) read and write lies in pinned memory, which kernels reach as well. So a
// buffer has one place whoever touches it, and nothing is copied but what lies elsewhere for another reason: numbers
// that are inputs, outputs or weights. Strings of the caller's and constant ones are on the host already.
#include "passes/passes.h"

#include "ir/host_ops.h"
#include "ir/space.h"
#include "memory/footprint.h"
#include "memory/move_to_space.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

bool isOfStrings(Value buffer) { return isa<StringType>(cast<BaseMemRefType>(buffer.getType()).getElementType()); }

/// Pinned memory of the operand's shape takes its place.
void copyPinned(OpOperand &operand, SpaceAttr pinned) {
  Operation *op = operand.getOwner();
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value there = operand.get();
  auto type = cast<MemRefType>(there.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(b.create<memref::DimOp>(loc, there, d));
  auto own = inSpace(MemRefType::get(type.getShape(), type.getElementType()), pinned);
  Value here = b.create<memref::AllocOp>(loc, own, sizes, b.getI64IntegerAttr(64));
  auto copy = [&](Value from, Value to) {
    b.create<memref::CopyOp>(loc, from, to)->setAttr("sinter.reason", b.getStringAttr("an op on the host needs it"));
  };
  bool isWritten = cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  auto nest = dyn_cast<linalg::LinalgOp>(op);
  if (!isWritten || !nest || nest.payloadUsesValueFromOperand(&operand))
    copy(there, here);
  if (isWritten) {
    b.setInsertionPointAfter(op);
    copy(here, there);
  }
  operand.set(here);
}

} // namespace

LogicalResult placeOnHost(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  auto pinned = SpaceAttr::get(module.getContext(), MemoryKind::Shared, StringAttr());
  SmallVector<memref::AllocOp> touched;
  SmallVector<OpOperand *> elsewhere;
  module.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && isOfStrings(alloc))
      touched.push_back(alloc);
    if (!isa<DestinationStyleOpInterface>(op) || reasonForHost(op).empty())
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()) || isOfStrings(operand.get()))
        continue;
      if (auto alloc = rootOf(operand.get()).getDefiningOp<memref::AllocOp>())
        touched.push_back(alloc);
      else
        elsewhere.push_back(&operand);
    }
  });
  for (OpOperand *operand : elsewhere)
    copyPinned(*operand, pinned);
  for (memref::AllocOp alloc : touched)
    if (spaceOf(alloc.getType()) != pinned)
      moveToSpace(alloc.getResult(), pinned);
  return success();
}

} // namespace sinter
