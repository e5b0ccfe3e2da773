// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each sinter.output moves up to where its sizes are known, so that the op that makes the result can write straight
// into the caller's buffer.
#include "passes.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Index arithmetic that stands on nothing but sinter.dim and constants, so that it may move to the front of the
/// function.
bool isSizeArithmetic(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) { return type.isIntOrIndex(); }) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

void placeOutput(OutputOp output) {
  Block *block = output->getBlock();
  SetVector<Operation *> slice;
  slice.insert(output);
  for (size_t i = 0; i < slice.size(); ++i)
    for (Value operand : slice[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != block || !isSizeArithmetic(op))
        return; // data decides the size
      slice.insert(op);
    }
  SmallVector<Operation *> ops = slice.takeVector();
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Operation *front = nullptr;
  for (Operation *op : ops) {
    if (front)
      op->moveAfter(front);
    else
      op->moveBefore(block, block->begin());
    front = op;
  }
}

} // namespace

LogicalResult sinter::placeOutputs(ModuleOp module) {
  SmallVector<OutputOp> outputs;
  module.walk([&](OutputOp output) { outputs.push_back(output); });
  for (OutputOp output : llvm::reverse(outputs))
    placeOutput(output);
  return success();
}
