// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise loop nests merge into their consumers, so that values pass in registers. Precondition: the producer's
// work is not repeated, or cheap. A transpose of what one makes is such a consumer.
#include "passes/passes.h"

#include "ir/value_names.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/SmallBitVector.h"

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

/// For each loop of a nest, how many steps of the body do not depend on it, and are taken out of it: the positions that
/// all channels of a sampled map share.
SmallVector<size_t> stepsOutsideOfLoops(linalg::GenericOp op) {
  DenseMap<Value, llvm::SmallBitVector> loopsOf;
  for (OpOperand &operand : op->getOpOperands()) {
    llvm::SmallBitVector loops(op.getNumLoops());
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop))
        loops.set(loop);
    loopsOf[op.getMatchingBlockArgument(&operand)] = loops;
  }
  SmallVector<size_t> outside(op.getNumLoops());
  for (Operation &step : op.getBody()->without_terminator()) {
    llvm::SmallBitVector loops(op.getNumLoops());
    if (auto index = dyn_cast<linalg::IndexOp>(step))
      loops.set(static_cast<unsigned>(index.getDim()));
    for (Value operand : step.getOperands())
      if (auto known = loopsOf.find(operand); known != loopsOf.end())
        loops |= known->second;
    for (Value result : step.getResults())
      loopsOf[result] = loops;
    for (unsigned loop = 0; loop < op.getNumLoops() && loops.any(); ++loop)
      outside[loop] += !loops.test(loop);
  }
  return outside;
}

/// More steps are not worth a trip through memory that is saved.
constexpr size_t maxRepeatedSteps = 24;

/// Whether a merged body would make again what the producer makes once: the loops of a reduction lie within all others,
/// so that nothing is taken out of these that depends on them. Precondition: isUsedOnce.
bool repeatsSteps(OpOperand *operand, linalg::GenericOp producer, linalg::GenericOp consumer) {
  AffineMap made = producer.getIndexingMapMatchingResult(cast<OpResult>(operand->get()));
  AffineMap used = consumer.getMatchingIndexingMap(operand);
  if (consumer.getNumReductionLoops() == 0 || !made.isPermutation() || !used.isPermutation())
    return false;
  SmallVector<size_t> outside = stepsOutsideOfLoops(producer);
  for (unsigned d = 0; d < made.getNumResults(); ++d)
    if (consumer.getIteratorTypesArray()[used.getDimPosition(d)] == utils::IteratorType::parallel &&
        outside[made.getDimPosition(d)] > maxRepeatedSteps)
      return true;
  return false;
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

bool isWorthMerging(OpOperand *operand, linalg::GenericOp producer, linalg::GenericOp consumer) {
  return producer.getNumDpsInputs() + consumer.getNumDpsInputs() <= maxFusedInputs &&
         bodyStepsOf(producer) + bodyStepsOf(consumer) <= maxSteps &&
         (isUsedOnce(operand, consumer) || vanishesCheaply(producer)) && !repeatsSteps(operand, producer, consumer);
}

/// As upstream's pattern, but a producer that nobody reads any more goes at once. While it stood it would count as a
/// reader of its own producers, whose results the next merges would then keep, one more with each: where bodies cancel,
/// a chain of n ops took n merges of up to n results.
struct MergeProducer : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp consumer, PatternRewriter &rewriter) const override {
    for (OpOperand &operand : consumer->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
      if (!producer || !linalg::areElementwiseOpsFusable(&operand) || !isWorthMerging(&operand, producer, consumer))
        continue;
      // The merged op gets the consumer's location.
      consumer->setLoc(sinter::fusedLocation(producer.getLoc(), consumer.getLoc()));
      auto merged = linalg::fuseElementwiseOps(rewriter, &operand);
      if (failed(merged))
        return failure();
      for (auto [before, after] : merged->replacements)
        if (before.getDefiningOp() == consumer)
          rewriter.replaceAllUsesWith(before, after);
      rewriter.eraseOp(consumer);
      if (producer.use_empty())
        rewriter.eraseOp(producer);
      return success();
    }
    return failure();
  }
};

} // namespace

LogicalResult sinter::fuseElementwise(ModuleOp module) {
  openTransposes(module);
  RewritePatternSet patterns(module.getContext());
  patterns.add<MergeProducer>(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, [](OpOperand *) { return false; }); // what they clean up
  GreedyRewriteConfig config;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
  (void)applyPatternsAndFoldGreedily(module, std::move(patterns), config);
  return success();
}
