// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates of what an op costs to evaluate.
#include "fold_budget.h"

#include "ir/dialect.h"
#include "ir/work.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace sinter {
namespace {

int64_t typeElementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  int64_t elements = 1;
  for (int64_t dim : tensor.getShape())
    elements = times(elements, dim);
  return elements;
}

int64_t typeBytesOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return times(typeElementsOf(type),
               element.isIntOrFloat() ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 16);
}

/// Steps of the interpreter, roughly. Views cost nothing.
int64_t evaluationStepsOf(Operation *op) {
  if (isa<WeightOp, arith::ConstantOp, tensor::EmptyOp, linalg::FillOp, tensor::SplatOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::CastOp>(op))
    return 0;
  int64_t steps = Work().macsOf(op);
  if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
    int64_t points = std::max<int64_t>(1, static_cast<int64_t>(op->getRegion(0).front().getOperations().size()) - 1);
    for (int64_t range : loops.getStaticLoopRanges())
      points = times(points, std::max<int64_t>(range, 0));
    steps = std::max(steps, points);
  }
  for (Type type : op->getResultTypes())
    steps = std::max(steps, typeElementsOf(type));
  return steps;
}

} // namespace

FoldBudget::FoldBudget(func::FuncOp function, FoldLimit limit) {
  constexpr int64_t stepsPerElement = 64, bytesPerByte = 4, bytesAtLeast = int64_t(64) << 20;
  int64_t weights = 0, weightBytes = 0;
  function.walk([&](WeightOp weight) {
    weights += typeElementsOf(weight.getType());
    weightBytes += typeBytesOf(weight.getType());
  });
  steps = limit.steps.value_or(defaultFoldSteps) + times(stepsPerElement, weights);
  bytes = std::max(bytesAtLeast, bytesPerByte * weightBytes);
}

bool FoldBudget::allows(Operation *op, EvaluationCache &cache) {
  for (Type type : op->getResultTypes())
    if (!isa<WeightOp, tensor::EmptyOp, linalg::FillOp, tensor::SplatOp>(op) && typeBytesOf(type) > bytes) {
      op->emitRemark() << "computed at run time: its result of " << typeBytesOf(type)
                       << " bytes is beyond what is kept at compile time (" << bytes << ")";
      return false;
    }
  // How long a loop runs only running it tells.
  if (isa<LoopLikeOpInterface>(op))
    return evaluate(op->getResult(0), cache).has_value();
  int64_t needed = evaluationStepsOf(op);
  if (needed > steps) {
    op->emitRemark() << "computed at run time: at compile time it would take " << needed << " steps of " << steps
                     << " that are left (--fold-limit)";
    return false;
  }
  steps -= needed;
  return true;
}

} // namespace sinter
