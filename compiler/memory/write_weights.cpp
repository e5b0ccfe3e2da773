// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates constants through the interpreter, in program order: the order in which the kernels read them.
#include "write_weights.h"

#include "interpreter/interpreter.h"

using namespace mlir;

namespace sinter {
namespace {

/// Weights may be large, and are what the user asked for: the limits keep a hostile model from running for days.
EvaluationBudget budgetForWeights() {
  EvaluationBudget budget;
  budget.tensorBytes = int64_t(8) << 30;
  budget.totalBytes = int64_t(16) << 30;
  budget.points = int64_t(1) << 38;
  return budget;
}

LogicalResult write(ConstantOp constant, function_ref<int64_t(ArrayRef<char>)> append, int64_t &end) {
  EvaluationCache cache;
  Value result = cast<YieldOp>(constant.getBody().front().getTerminator()).getValues().front();
  std::optional<HostTensor> tensor = evaluate(result, cache, budgetForWeights());
  if (!tensor)
    return constant.emitError("a constant cannot be evaluated");
  if (tensor->kind() == ElementKind::String) { // pointers are no bytes of a file: these stand in the source
    SmallVector<StringRef> texts;
    for (const std::string &text : tensor->strings())
      texts.push_back(text);
    constant->setAttr("sinter.strings", Builder(constant.getContext()).getStrArrayAttr(texts));
    return success();
  }
  int64_t size = static_cast<int64_t>(tensor->sizeInBytes());
  int64_t offset = append({tensor->bytes(), static_cast<size_t>(size)});
  if (offset < 0)
    return constant.emitError("the weights cannot be written to a temporary file");
  constant.setOffset(offset);
  end = std::max(end, offset + size);
  return success();
}

} // namespace

LogicalResult writeWeights(ModuleOp planned, function_ref<int64_t(ArrayRef<char>)> append) {
  for (func::FuncOp function : planned.getOps<func::FuncOp>()) {
    int64_t end = 0;
    WalkResult walked = function.walk<WalkOrder::PreOrder>([&](ConstantOp constant) {
      return failed(write(constant, append, end)) ? WalkResult::interrupt() : WalkResult::skip();
    });
    if (walked.wasInterrupted())
      return failure();
    function->setAttr("sinter.weights_bytes", Builder(planned.getContext()).getI64IntegerAttr(end));
  }
  return success();
}

} // namespace sinter
