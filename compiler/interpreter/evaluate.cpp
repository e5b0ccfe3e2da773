// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lazy evaluation: what a value's slice needs, in order, without recursion; constancy; what is remembered between
// calls.
#include "engine.h"
#include "kernel_call.h"
#include "packed_operands.h"

#include "ir/dialect.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Ops whose result nobody knows before run time.
bool isRuntimeLeaf(Operation *op) {
  if (auto dim = dyn_cast<DimOp>(op))
    return dim.getMin() != dim.getMax();
  return isa<InputOp, OutputOp, ArenaOp>(op);
}

/// Functions are known by name only.
bool isKnownFunction(StringRef name) {
  return findScalarFunction(name) || findRounding(name) || findNamedConversion(name) || name == "cast_complex" ||
         name == "string_equal";
}

bool interpretable(Operation *op) {
  if (auto apply = dyn_cast<ApplyOp>(op))
    return isKnownFunction(apply.getFunction());
  if (std::optional<TemplateCall> call = templateCallOf(op))
    return findKernel(call->name) != nullptr;
  if (auto conv = dyn_cast<ConvOp>(op); conv && !isKnownOrder(conv.getKernelAttr()))
    return false;
  if (auto matmul = dyn_cast<MatmulOp>(op); matmul && !isKnownOrder(matmul.getKernelAttr()))
    return false;
  return !isRuntimeLeaf(op) && (findHandler(op) || op->hasTrait<OpTrait::IsTerminator>());
}

/// The values that an op's result follows from. tensor.dim does not read its tensor where the size is stated.
SmallVector<Value> dependencies(Operation *op) {
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      if (OpFoldResult size = statedDim(dim.getSource(), *index))
        return isa<Value>(size) ? SmallVector<Value>{cast<Value>(size)} : SmallVector<Value>();
  SmallVector<Value> values(op->getOperands());
  if (op->getNumRegions())
    llvm::append_range(values, capturedValues(op));
  return values;
}

} // namespace

bool sinter::isInterpretable(Operation *op) {
  if (!interpretable(op))
    return false;
  for (Region &region : op->getRegions()) {
    WalkResult result = region.walk(
        [](Operation *nested) { return interpretable(nested) ? WalkResult::advance() : WalkResult::interrupt(); });
    if (result.wasInterrupted())
      return false;
  }
  return true;
}

bool sinter::isConstant(Value root, EvaluationCache &cache) {
  SmallVector<Value> stack{root};
  DenseSet<Value> opened;
  // The results of an op are constant together: what it depends on is looked at once.
  auto note = [&](Value value, bool isConstant) {
    cache.constant[value] = isConstant;
    if (Operation *op = value.getDefiningOp(); op && op->getNumRegions())
      for (Value result : op->getResults())
        cache.constant[result] = isConstant;
  };
  while (!stack.empty()) {
    Value value = stack.back();
    if (cache.constant.count(value)) {
      stack.pop_back();
      continue;
    }
    Operation *op = value.getDefiningOp();
    // What is written to a given place stands for that memory: where the branches of a choice meet it must stay.
    if (!op || isa<bufferization::MaterializeInDestinationOp>(op) || !isInterpretable(op)) {
      note(value, false);
      continue;
    }
    SmallVector<Value> needed = dependencies(op);
    bool known = true, constant = true;
    for (Value dependency : needed) {
      auto found = cache.constant.find(dependency);
      known &= found != cache.constant.end();
      constant &= found == cache.constant.end() || found->second;
    }
    if (!constant || known)
      note(value, constant);
    else if (opened.insert(value).second)
      llvm::copy_if(needed, std::back_inserter(stack), [&](Value v) { return !cache.constant.count(v); });
    else
      note(value, false); // a cycle: graph regions only
  }
  return cache.constant[root];
}

bool Engine::demand(Value root) {
  SmallVector<Value> stack{root};
  DenseSet<Operation *> opened;
  while (!stack.empty()) {
    Value value = stack.back();
    if (known(value) || failed.contains(value)) {
      stack.pop_back();
      continue;
    }
    if (cache.values.count(value)) { // failed before
      failed.insert(value);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !findHandler(op)) {
      failed.insert(value);
      continue;
    }
    SmallVector<Value> needed = dependencies(op);
    if (opened.insert(op).second) {
      size_t before = stack.size();
      llvm::copy_if(needed, std::back_inserter(stack), [&](Value v) { return !known(v) && !failed.contains(v); });
      if (stack.size() != before)
        continue;
    }
    // captured values may be missing: the branch that uses them may not be taken
    bool ready = op->getNumRegions() || llvm::none_of(needed, [&](Value v) { return failed.contains(v); });
    if (!ready || !execute(op))
      failed.insert(op->result_begin(), op->result_end());
    else if (!known(value))
      failed.insert(value);
  }
  return known(root) != nullptr;
}

std::optional<HostTensor> sinter::evaluate(Value value, EvaluationCache &cache, const EvaluationBudget &budget,
                                           NoValue *why) {
  if (auto found = cache.values.find(value); found != cache.values.end())
    return found->second;
  if (!isConstant(value, cache))
    return std::nullopt;
  Engine engine(cache, budget);
  bool done = engine.demand(value);
  // Views cost nothing to keep; of what was computed only small results stay.
  constexpr size_t keptBytes = 16 << 10;
  for (auto &[key, tensor] : engine.values)
    if (!tensor.ownsMemory() || tensor.isSplat() || tensor.sizeInBytes() <= keptBytes)
      cache.values[key] = tensor;
  if (done)
    return *engine.known(value);
  // What took too much of a whole budget is not tried again, neither for this value nor for others that need it; what
  // took too much of a smaller one may be.
  constexpr EvaluationBudget whole;
  if (budget.tensorBytes >= whole.tensorBytes && budget.totalBytes >= whole.totalBytes && budget.points >= whole.points)
    for (Value failed : engine.failed)
      cache.values.try_emplace(failed, std::nullopt);
  if (why)
    *why = engine.budgetExceeded ? NoValue::OverBudget : engine.refused ? NoValue::Refused : NoValue::Unknown;
  return std::nullopt;
}

std::optional<int64_t> sinter::evaluateIndex(Value value, EvaluationCache &cache) {
  std::optional<HostTensor> scalar = evaluate(value, cache);
  if (!scalar || scalar->size() != 1 || !isIntegerKind(scalar->kind()))
    return std::nullopt;
  return scalar->integerAt(0);
}
