// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is quantized lies in memory as integers: a loop nest that widens them (DequantizeLinear) merges into every loop
// nest that reads it, and one whose only reader narrows it (QuantizeLinear) merges with that. Floats between the two
// are registers. Precondition: the widening nest reads one tensor, beside parameters.
#include "passes/passes.h"

#include "interpreter/interpreter.h"
#include "ir/value_names.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

namespace sinter {
namespace {

unsigned elementBitsOf(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}
bool isNarrowInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value.getType())) && elementBitsOf(value) > 1 &&
         elementBitsOf(value) <= 16;
}

bool isElementwiseNest(linalg::GenericOp op) {
  return op.getNumDpsInits() == 1 && op->getNumResults() == 1 && !op.getNumReductionLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

/// One narrow tensor beside numbers and vectors, a wider result, arithmetic only.
bool widens(linalg::GenericOp op) {
  if (!isElementwiseNest(op) || isNarrowInteger(op.getResult(0)) ||
      llvm::any_of(op.getBody()->without_terminator(),
                   [](Operation &step) { return !isa<arith::ArithDialect>(step.getDialect()); }))
    return false;
  unsigned full = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingIndexingMap(input).getNumResults() + 1 < op.getNumLoops() ||
        op.getRank(input) + 1 < static_cast<int64_t>(op.getNumLoops()))
      continue;
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (type && type.hasStaticShape() && type.getNumElements() == 1)
      continue;
    if (!isNarrowInteger(input->get()))
      return false;
    ++full;
  }
  return full == 1;
}

/// On nests that depend on weights only while the pass runs: their results are stored, not computed again.
constexpr StringLiteral knownAttribute = "sinter.known";

constexpr unsigned maxQuantizedInputs = 24; // parameters among them, which become literals

/// Whether to merge the maker of `operand` into its reader.
bool merges(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->hasAttr(knownAttribute) || consumer->hasAttr(knownAttribute) ||
      producer.getNumDpsInputs() + consumer.getNumDpsInputs() > maxQuantizedInputs)
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  bool isRead = widens(producer) && map.isProjectedPermutation();
  bool isMade = operand->get().hasOneUse() && isElementwiseNest(producer) && isElementwiseNest(consumer) &&
                map.isIdentity() && isNarrowInteger(consumer->getResult(0)) && !isNarrowInteger(producer->getResult(0));
  if (!isRead && !isMade)
    return false;
  consumer->setLoc(fusedLocation(producer.getLoc(), consumer.getLoc()));
  return true;
}
} // namespace

LogicalResult fuseQuantized(ModuleOp module) {
  EvaluationCache cache;
  module.walk([&](linalg::GenericOp op) {
    if (op->getNumResults() && isConstant(op.getResult(0), cache))
      op->setAttr(knownAttribute, UnitAttr::get(module.getContext()));
  });
  RewritePatternSet patterns(module.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, merges);
  GreedyRewriteConfig config;
  config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled;
  (void)applyPatternsAndFoldGreedily(module, std::move(patterns), config);
  module.walk([&](linalg::GenericOp op) { op->removeAttr(knownAttribute); });
  return success();
}

} // namespace sinter
