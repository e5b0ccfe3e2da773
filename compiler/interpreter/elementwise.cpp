// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar ops outside of linalg bodies, and the same ops on whole tensors: a program of one instruction or few, run over
// all elements.
#include "engine.h"

#include "ir/dialect.h"

using namespace mlir;
using namespace sinter;

/// Strings are in no register of a program.
static bool runStringSelect(Engine &engine, arith::SelectOp op) {
  std::optional<int64_t> condition = engine.index(op.getCondition());
  std::optional<HostTensor> chosen =
      condition ? engine.get(*condition ? op.getTrueValue() : op.getFalseValue()) : std::nullopt;
  if (chosen)
    engine.set(op, std::move(*chosen));
  return chosen.has_value();
}

bool sinter::runElementwise(Engine &engine, Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op); select && isa<StringType>(select.getType()))
    return runStringSelect(engine, select);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    std::optional<HostTensor> tensor = fromAttribute(constant.getValue(), getElementTypeOrSelf(constant.getType()));
    if (tensor)
      engine.set(constant, std::move(*tensor));
    return tensor.has_value();
  }
  SmallVector<HostTensor, 3> operands;
  SmallVector<int64_t, 6> shape;
  for (Value operand : op->getOperands()) {
    std::optional<HostTensor> tensor = engine.get(operand);
    if (!tensor)
      return false;
    if (isa<ShapedType>(operand.getType()))
      shape.assign(tensor->shape().begin(), tensor->shape().end());
    operands.push_back(std::move(*tensor));
  }
  int64_t count = countElements(shape);
  Program *program = engine.programFor(op, shape.empty() ? 1 : 256);
  if (!program || !engine.spend(count) || !program->bind(engine))
    return false;
  SmallVector<HostTensor, 2> results;
  for (Value value : op->getResults()) {
    std::optional<HostTensor> result = engine.allocate(getElementTypeOrSelf(value.getType()), shape);
    if (!result)
      return false;
    results.push_back(std::move(*result));
  }
  for (int64_t start = 0; start < count; start += static_cast<int64_t>(program->capacity())) {
    auto n = std::min<int64_t>(static_cast<int64_t>(program->capacity()), count - start);
    for (auto [i, operand] : llvm::enumerate(operands)) {
      auto bytes = static_cast<int64_t>(operand.bytesPerElement());
      if (operand.size() == count && !operand.isSplat())
        std::memcpy(program->argument(i), operand.bytes() + start * bytes, static_cast<size_t>(n * bytes));
      else // a splat, or the scalar condition of a select on tensors
        fillElements(operand.kind(), program->argument(i), n, operand.storedBytes());
    }
    if (!program->run(static_cast<size_t>(n)))
      return engine.refuse();
    for (auto [i, result] : llvm::enumerate(results)) {
      auto bytes = static_cast<int64_t>(result.bytesPerElement());
      std::memcpy(result.mutableBytes() + start * bytes, program->result(i), static_cast<size_t>(n * bytes));
    }
  }
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    engine.set(value, std::move(result));
  return true;
}
