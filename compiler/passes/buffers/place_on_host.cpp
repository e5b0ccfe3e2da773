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
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sinter {
namespace {

bool isOfStrings(Value buffer) { return isa<StringType>(cast<BaseMemRefType>(buffer.getType()).getElementType()); }

/// A buffer that an op of the host touches, by its operands or from its body, which gathers.
struct Touched {
  SmallVector<OpOperand *> uses;
  bool isRead = false, isWritten = false;

  void add(Operation *op, OpOperand &use) {
    uses.push_back(&use);
    bool isInit = use.getOwner() == op && cast<DestinationStyleOpInterface>(op).isDpsInit(&use);
    auto nest = dyn_cast<linalg::LinalgOp>(op);
    isRead |= !isInit || !nest || nest.payloadUsesValueFromOperand(&use);
    isWritten |= isInit || isa<memref::StoreOp>(use.getOwner());
  }
};

/// The buffers of numbers that an op touches.
llvm::MapVector<Value, Touched> touchedNumbersOf(Operation *op) {
  llvm::MapVector<Value, Touched> found;
  auto add = [&](OpOperand &use) {
    if (isa<MemRefType>(use.get().getType()) && !isOfStrings(use.get()))
      found[use.get()].add(op, use);
  };
  for (OpOperand &operand : op->getOpOperands())
    add(operand);
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *captured) { add(*captured); });
  return found;
}

/// Pinned memory of the buffer's shape takes its place.
void copyPinned(Operation *op, Value there, const Touched &touched, SpaceAttr pinned) {
  OpBuilder b(op);
  Location loc = op->getLoc();
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
  if (touched.isRead)
    copy(there, here);
  if (touched.isWritten) {
    b.setInsertionPointAfter(op);
    copy(here, there);
  }
  for (OpOperand *use : touched.uses)
    use->set(here);
}

} // namespace

LogicalResult placeOnHost(ModuleOp module, const Target &target) {
  if (!target.isGpu())
    return success();
  auto pinned = SpaceAttr::get(module.getContext(), MemoryKind::Shared, StringAttr());
  SmallVector<memref::AllocOp> moved;
  SmallVector<Operation *> onHost;
  module.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && isOfStrings(alloc))
      moved.push_back(alloc);
    if (isa<DestinationStyleOpInterface>(op) && !reasonForHost(op).empty())
      onHost.push_back(op);
  });
  for (Operation *op : onHost)
    for (const auto &[buffer, touched] : touchedNumbersOf(op)) {
      if (auto alloc = rootOf(buffer).getDefiningOp<memref::AllocOp>())
        moved.push_back(alloc);
      else
        copyPinned(op, buffer, touched, pinned);
    }
  for (memref::AllocOp alloc : moved)
    if (spaceOf(alloc.getType()) != pinned)
      moveToSpace(alloc.getResult(), pinned);
  return success();
}

} // namespace sinter
