// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise loop nests merge into their consumers, so that values pass in registers. Precondition: the producer's
// work is not repeated, or cheap. A transpose of what one makes is such a consumer.
#include "passes/passes.h"

#include "ir/value_names.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

namespace {

/// A body of additions, multiplications, comparisons, conversions alone.
bool isArithmetic(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return !isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(inner) &&
           isa<arith::ArithDialect, linalg::LinalgDialect>(inner.getDialect());
  });
}

/// A body that costs no more than a load: at most two steps of arithmetic.
bool isCheap(linalg::GenericOp op) {
  return isArithmetic(op) && llvm::hasNItemsOrLess(op.getBody()->without_terminator(), 2);
}

/// No read-after-write through memory is saved beyond this many operands, and a body of so many loads spills registers.
constexpr unsigned maxFusedInputs = 12;

/// Nor beyond a body of this many steps, while each merge copies the body.
constexpr size_t maxSteps = 96;

size_t bodyStepsOf(linalg::GenericOp op) { return op.getBody()->getOperations().size(); }

/// Each element of the producer is asked for once: one use, and no loop of the consumer that does not move it.
bool isUsedOnce(OpOperand *operand, linalg::GenericOp consumer) {
  return operand->get().hasOneUse() && consumer.getMatchingIndexingMap(operand).isPermutation();
}

/// Merged into every consumer, the producer vanishes. It has one input, or its inputs would live longer in place of it.
bool vanishesCheaply(linalg::GenericOp producer) {
  return isCheap(producer) && producer.getNumDpsInputs() <= 1 && producer->getNumResults() == 1 &&
         llvm::all_of(producer->getUsers(), [](Operation *user) { return isa<linalg::GenericOp>(user); });
}

/// A transpose becomes a loop nest where the nest that makes its operand merges into it. That nest then runs as the
/// copy would have, element by element: a body that vectors make cheap stays apart.
void openTransposes(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::TransposeOp> transposes;
  module.walk([&](linalg::TransposeOp transpose) {
    auto producer = transpose.getInput().getDefiningOp<linalg::GenericOp>();
    if (producer && transpose.getInput().hasOneUse() && producer->getNumResults() == 1 &&
        producer.getNumParallelLoops() == producer.getNumLoops() && isArithmetic(producer))
      transposes.push_back(transpose);
  });
  for (linalg::TransposeOp transpose : transposes) {
    rewriter.setInsertionPoint(transpose);
    (void)linalg::generalizeNamedOp(rewriter, transpose);
  }
}

} // namespace

LogicalResult sinter::fuseElementwise(ModuleOp module) {
  openTransposes(module);
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
    bool fuses = producer && consumer && producer.getNumDpsInputs() + consumer.getNumDpsInputs() <= maxFusedInputs &&
                 bodyStepsOf(producer) + bodyStepsOf(consumer) <= maxSteps &&
                 (isUsedOnce(operand, consumer) || vanishesCheaply(producer));
    if (fuses) // upstream gives the fused op the consumer's location only
      consumer->setLoc(sinter::fusedLocation(producer.getLoc(), consumer.getLoc()));
    return fuses;
  });
  GreedyRewriteConfig config;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
  (void)applyPatternsAndFoldGreedily(module, std::move(patterns), config);
  return success();
}
