// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights, constants' regions, symbolic dims, and the edges of the graph. Convolution and matrix product:
// contractions.cpp.
#include "engine.h"

#include "ir/dialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace sinter;

namespace {

bool runWeight(Engine &engine, WeightOp op) {
  std::optional<HostTensor> tensor = fromAttribute(op.getValue(), getElementTypeOrSelf(op.getType()));
  if (tensor)
    engine.set(op.getResult(), std::move(*tensor));
  return tensor.has_value();
}

bool runConstant(Engine &engine, ConstantOp op) {
  Engine::Tensors results;
  if (!engine.runBlock(op.getBody().front(), {}, results) || results.size() != 1)
    return false;
  engine.set(op.getResult(), std::move(results[0]));
  return true;
}

/// Functions of strings; all others are scalar ops.
bool runApply(Engine &engine, ApplyOp op) {
  if (op.getFunction() != "string_equal")
    return runElementwise(engine, op);
  std::optional<HostTensor> lhs = engine.get(op.getOperands()[0]), rhs = engine.get(op.getOperands()[1]);
  if (!lhs || !rhs)
    return false;
  bool equal = lhs->strings()[0] == rhs->strings()[0];
  engine.set(op.getResult(), HostTensor::scalar(op.getResult().getType(), static_cast<uint8_t>(equal)));
  return true;
}

bool runPermute(Engine &engine, PermuteOp op) {
  std::optional<HostTensor> source = engine.get(op.getSource());
  if (!source)
    return false;
  SmallVector<int64_t, 6> from = rowMajorStrides(source->shape()), strides;
  SmallVector<int64_t> shape;
  for (int64_t dim : op.getPermutation()) {
    shape.push_back(source->shape()[dim]);
    strides.push_back(from[dim]);
  }
  std::optional<HostTensor> result = engine.allocate(source->getElementType(), shape);
  if (!result || !engine.spend(result->size()))
    return false;
  copyStrided(source->kind(), shape, result->mutableBytes(), rowMajorStrides(shape), source->bytes(), strides);
  engine.set(op.getResult(), std::move(*result));
  return true;
}

bool runSinterDim(Engine &engine, DimOp op) {
  std::optional<int64_t> value;
  if (op.getMin() == op.getMax())
    value = op.getMin();
  else if (engine.dims)
    if (auto found = engine.dims->find(op.getName()); found != engine.dims->end())
      value = found->second;
  if (!value || *value < static_cast<int64_t>(op.getMin()) || *value > static_cast<int64_t>(op.getMax()))
    return false;
  engine.set(op.getResult(), HostTensor::scalar(op.getType(), *value));
  return true;
}

/// Above its bound the call would end with status 4: there is no result.
bool runBound(Engine &engine, BoundOp op) {
  std::optional<int64_t> value = engine.index(op.getValue());
  if (!value)
    return false;
  if (*value > static_cast<int64_t>(op.getMax()))
    return engine.refuse();
  engine.set(op.getResult(), HostTensor::scalar(op.getType(), *value));
  return true;
}

/// Where the condition does not hold the call would end with status 3: there is no result.
bool runAssert(Engine &engine, cf::AssertOp op) {
  std::optional<HostTensor> condition = engine.get(op.getArg());
  return condition && (condition->integerAt(0) != 0 || engine.refuse());
}

} // namespace

void sinter::addSinterHandlers(HandlerTable &table) {
  addHandler<WeightOp, runWeight>(table);
  addHandler<ConstantOp, runConstant>(table);
  addHandler<ApplyOp, runApply>(table);
  addHandler<PermuteOp, runPermute>(table);
  addHandler<DimOp, runSinterDim>(table);
  addHandler<BoundOp, runBound>(table);
  addHandler<cf::AssertOp, runAssert>(table);
}
