// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole function, op by op: the oracle. Values go as soon as nobody reads them any more, so that a real model fits in
// memory.
#include "engine.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace sinter;

namespace {

bool runInput(Engine &engine, InputOp op) {
  if (op.getIndex() >= engine.inputs.size())
    return false;
  engine.set(op.getResult(), engine.inputs[op.getIndex()]);
  return true;
}

/// Output `index`, which has no type before something goes into it.
HostTensor &outputAt(Engine &engine, size_t index) {
  if (engine.outputs.size() <= index)
    engine.outputs.resize(index + 1);
  return engine.outputs[index];
}

/// The caller's buffer: what goes in is collected by materialize_in_destination. Nothing goes into one without
/// elements.
bool runOutput(Engine &engine, OutputOp op) {
  HostTensor &output = outputAt(engine, op.getIndex());
  MemRefType type = op.getType();
  SmallVector<int64_t> shape(type.getShape());
  size_t next = 0;
  for (int64_t &dim : shape) {
    if (!ShapedType::isDynamic(dim))
      continue;
    std::optional<HostTensor> size = engine.get(op.getSizes()[next++]);
    if (!size)
      return false;
    dim = size->integerAt(0);
  }
  if (llvm::is_contained(shape, 0))
    output = HostTensor::allocate(type.getElementType(), shape);
  return true;
}

bool runToTensor(Engine &engine, bufferization::ToTensorOp op) {
  std::optional<HostTensor> tensor = engine.get(op.getMemref());
  if (tensor)
    engine.set(op.getResult(), std::move(*tensor));
  return tensor.has_value();
}

bool runMaterialize(Engine &engine, bufferization::MaterializeInDestinationOp op) {
  std::optional<HostTensor> tensor = engine.get(op.getSource());
  if (!tensor)
    return false;
  if (auto output = op.getDest().getDefiningOp<OutputOp>())
    outputAt(engine, output.getIndex()) = *tensor;
  else if (isa<BaseMemRefType>(op.getDest().getType()))
    return false;
  for (Value result : op->getResults())
    engine.set(result, *tensor);
  return true;
}

/// For each op of the block, the values whose last use it is.
DenseMap<Operation *, SmallVector<Value>> lastUses(Block &block) {
  DenseMap<Value, Operation *> last;
  for (Operation &op : block)
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (operand.getParentBlock() == &block)
          last[operand] = &op;
    });
  DenseMap<Operation *, SmallVector<Value>> result;
  for (auto [value, op] : last)
    result[op].push_back(value);
  return result;
}

} // namespace

void sinter::addEdgeHandlers(HandlerTable &table) {
  addHandler<InputOp, runInput>(table);
  addHandler<OutputOp, runOutput>(table);
  addHandler<bufferization::ToTensorOp, runToTensor>(table);
  addHandler<bufferization::MaterializeInDestinationOp, runMaterialize>(table);
}

std::optional<std::vector<HostTensor>> sinter::run(func::FuncOp main, ArrayRef<HostTensor> inputs,
                                                   const llvm::StringMap<int64_t> &dims, const EvaluationBudget &budget,
                                                   Operation **failedAt) {
  EvaluationCache cache;
  Engine engine(cache, budget);
  engine.dims = &dims;
  engine.inputs = inputs;
  Block &block = main.getBody().front();
  if (block.getNumArguments() > inputs.size())
    return std::nullopt;
  for (BlockArgument argument : block.getArguments())
    engine.set(argument, inputs[argument.getArgNumber()]);
  DenseMap<Operation *, SmallVector<Value>> dying = lastUses(block);
  for (Operation &op : block.without_terminator()) {
    if (!engine.execute(&op)) {
      if (failedAt)
        *failedAt = &op;
      return std::nullopt;
    }
    for (Value value : dying[&op])
      engine.forget(value);
  }
  for (Value value : block.getTerminator()->getOperands()) {
    std::optional<HostTensor> tensor = engine.get(value);
    if (!tensor)
      return std::nullopt;
    engine.outputs.push_back(std::move(*tensor));
  }
  return std::move(engine.outputs);
}
