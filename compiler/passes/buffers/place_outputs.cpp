// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each sinter.output moves up to where its sizes are known, so that the op that makes the result can write straight
// into the caller's buffer.
#include "passes/passes.h"

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

/// Moves outputs of one block to its front, in their order. Moves take the order of ops from the block, so that it is
/// noted before the first one.
class OutputPlacer {
public:
  explicit OutputPlacer(Block &block) : block(&block) {
    for (Operation &op : block)
      order.try_emplace(&op, order.size());
  }

  void place(OutputOp output) {
    SetVector<Operation *> slice;
    slice.insert(output);
    for (size_t i = 0; i < slice.size(); ++i)
      for (Value operand : slice[i]->getOperands()) {
        Operation *op = operand.getDefiningOp();
        if (!op || op->getBlock() != block || !isSizeArithmetic(op))
          return; // data decides the size
        if (!placed.contains(op))
          slice.insert(op);
      }
    SmallVector<Operation *> ops = slice.takeVector();
    llvm::sort(ops, [&](Operation *a, Operation *b) { return order.at(a) < order.at(b); });
    for (Operation *op : ops) {
      if (last)
        op->moveAfter(last);
      else
        op->moveBefore(block, block->begin());
      placed.insert(op);
      last = op;
    }
  }

private:
  Block *block;
  DenseMap<Operation *, size_t> order;
  DenseSet<Operation *> placed;
  Operation *last = nullptr;
};

} // namespace

LogicalResult sinter::placeOutputs(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    OutputPlacer placer(function.front());
    for (OutputOp output : llvm::to_vector(function.front().getOps<OutputOp>()))
      placer.place(output);
  }
  return success();
}
