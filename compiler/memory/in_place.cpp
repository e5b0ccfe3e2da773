// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise loop nests; the epilogues of contractions: kernels keep a sum in registers and store each output element
// once, right after the epilogue has read what it adds (a residual); scatters, which take each element as it is before
// they replace some.
#include "in_place.h"

#include "ir/launch.h"

using namespace mlir;

namespace sinter {

template <class ContractionOp>
static SmallVector<OpOperand *> readByEpilogue(ContractionOp contraction, OpOperand &init) {
  SmallVector<OpOperand *> operands;
  if (contraction.getEpilogue().front().getTerminator()->getNumOperands() == 1 && // further inits are scratch
      init.get() == contraction.getInits().front())
    for (auto [operand, map] : llvm::zip(contraction.getEpilogueInputsMutable(),
                                         contraction.getEpilogueMaps().template getAsValueRange<AffineMapAttr>()))
      if (isa<ShapedType>(operand.get().getType()) && map.isIdentity())
        operands.push_back(&operand);
  return operands;
}

SmallVector<OpOperand *> readInPlace(DestinationStyleOpInterface op, OpOperand &init) {
  SmallVector<OpOperand *> operands;
  if (op->getParentOfType<LaunchOp>()) // others of the launch may still read what this op has read
    return operands;
  if (auto loops = dyn_cast<linalg::LinalgOp>(op.getOperation())) {
    AffineMap map = loops.getMatchingIndexingMap(&init);
    if (loops.getNumParallelLoops() == loops.getNumLoops() && map.isPermutation())
      for (OpOperand &operand : op->getOpOperands())
        if (loops.getMatchingIndexingMap(&operand) == map)
          operands.push_back(&operand);
  } else if (auto conv = dyn_cast<ConvOp>(op.getOperation())) {
    operands = readByEpilogue(conv, init);
  } else if (auto matmul = dyn_cast<MatmulOp>(op.getOperation())) {
    operands = readByEpilogue(matmul, init);
  } else if (auto kernel = dyn_cast<KernelOp>(op.getOperation()); kernel && kernel.isScatter()) {
    OpOperand &data = kernel.getInputsMutable()[0];
    if (data.get().getType() == init.get().getType())
      operands.push_back(&data);
  }
  return operands;
}

} // namespace sinter
