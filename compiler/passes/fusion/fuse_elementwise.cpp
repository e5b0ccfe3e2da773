// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise loop nests merge into their consumers, so that values pass in registers. Precondition: the producer's
// work is not repeated, or cheap.
#include "passes/passes.h"

#include "ir/value_names.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

namespace {

/// A body that costs no more than a load: at most two additions, multiplications, comparisons, conversions.
bool isCheap(linalg::GenericOp op) {
  int64_t steps = 0;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(inner) ||
        !isa<arith::ArithDialect, linalg::LinalgDialect>(inner.getDialect()))
      return false;
    ++steps;
  }
  return steps <= 2;
}

/// No read-after-write through memory is saved beyond this many operands, and a body of so many loads spills registers.
constexpr unsigned maxInputs = 12;

/// Nor beyond a body of this many steps, while each merge copies the body.
constexpr size_t maxSteps = 96;

size_t stepsOf(linalg::GenericOp op) { return op.getBody()->getOperations().size(); }

/// Each element of the producer is asked for once: one use, and no loop of the consumer that does not move it.
bool isUsedOnce(OpOperand *operand, linalg::GenericOp consumer) {
  return operand->get().hasOneUse() && consumer.getMatchingIndexingMap(operand).isPermutation();
}

/// Merged into every consumer, the producer vanishes. It has one input, or its inputs would live longer in place of it.
bool vanishesCheaply(linalg::GenericOp producer) {
  return isCheap(producer) && producer.getNumDpsInputs() <= 1 && producer->getNumResults() == 1 &&
         llvm::all_of(producer->getUsers(), [](Operation *user) { return isa<linalg::GenericOp>(user); });
}

} // namespace

LogicalResult sinter::fuseElementwise(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
    bool fuses = producer && consumer && producer.getNumDpsInputs() + consumer.getNumDpsInputs() <= maxInputs &&
                 stepsOf(producer) + stepsOf(consumer) <= maxSteps &&
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
