// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_elementwise.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {
namespace {

/// Of a scatter: what is scattered to and the result have the same places.
AffineMap scatterMap(KernelOp op, OpOperand &operand) {
  int64_t rank = cast<MemRefType>(op.getInits()[0].getType()).getRank();
  bool isData = operand.getOperandNumber() == 0 && operand.get().getType() == op.getInits()[0].getType();
  return isData || operand.get() == op.getInits()[0] ? AffineMap::getMultiDimIdentityMap(rank, op->getContext())
                                                     : AffineMap();
}

/// From output coordinates to the operand's; null: read otherwise.
AffineMap epilogueMap(DestinationStyleOpInterface op, OpOperand &operand) {
  auto maps = op->getAttrOfType<ArrayAttr>("epilogue_maps");
  if (!maps || op->getRegion(0).front().getTerminator()->getNumOperands() != 1)
    return {};
  int64_t rank = cast<MemRefType>(op.getDpsInitOperand(0)->get().getType()).getRank();
  if (&operand == op.getDpsInitOperand(0))
    return AffineMap::getMultiDimIdentityMap(rank, op->getContext());
  // Two operands of the contraction, then the epilogue's.
  int64_t index = static_cast<int64_t>(operand.getOperandNumber()) - 2;
  return index < 0 || op.isDpsInit(&operand) ? AffineMap() : cast<AffineMapAttr>(maps[index]).getValue();
}

} // namespace

bool isElementwise(Operation *op, ArenaPlaces &places, unsigned input, unsigned output) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || places.all[input].begin != places.all[output].begin)
    return false;
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  auto kernel = dyn_cast<KernelOp>(op);
  KernelOp scatter = kernel && kernel.isScatter() ? kernel : KernelOp();
  if (loops && loops.getNumParallelLoops() != loops.getNumLoops())
    return false;
  AffineMap map;
  unsigned width = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    const SetVector<unsigned> &where = places.of(operand.get());
    if (!where.contains(input) && !where.contains(output))
      continue;
    AffineMap own = loops     ? loops.getMatchingIndexingMap(&operand)
                    : scatter ? scatterMap(scatter, operand)
                              : epilogueMap(dps, operand);
    unsigned ownWidth = elementWidth(operand.get());
    if (!own || !places.isPlace(operand.get()) || !own.isPermutation() || (map && own != map) ||
        (width && ownWidth != width))
      return false;
    map = own;
    width = ownWidth;
  }
  return true;
}

} // namespace sinter
