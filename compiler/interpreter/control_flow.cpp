// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops. Carried tensors move from iteration to iteration, so that a loop that fills a tensor writes in
// place.
#include "engine.h"

#include "ir/dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Of a loop beside what its body asks for: a trip takes about a microsecond.
constexpr int64_t stepsPerTrip = 256;

bool setAll(Engine &engine, ValueRange values, Engine::Tensors tensors) {
  if (values.size() != tensors.size())
    return false;
  for (auto [value, tensor] : llvm::zip_equal(values, tensors))
    engine.set(value, std::move(tensor));
  return true;
}

std::optional<Engine::Tensors> takeAll(Engine &engine, ValueRange values) {
  Engine::Tensors tensors;
  for (Value value : values) {
    std::optional<HostTensor> tensor = engine.take(value);
    if (!tensor)
      return std::nullopt;
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

bool runIf(Engine &engine, scf::IfOp op) {
  std::optional<int64_t> condition = engine.index(op.getCondition());
  if (!condition)
    return false;
  Region &branch = *condition ? op.getThenRegion() : op.getElseRegion();
  Engine::Tensors results;
  return branch.empty() || (engine.runBlock(branch.front(), {}, results) && setAll(engine, op.getResults(), results));
}

bool runIndexSwitch(Engine &engine, scf::IndexSwitchOp op) {
  std::optional<int64_t> selector = engine.index(op.getArg());
  if (!selector)
    return false;
  Block *block = &op.getDefaultBlock();
  for (auto [i, value] : llvm::enumerate(op.getCases()))
    if (value == *selector)
      block = &op.getCaseBlock(static_cast<unsigned>(i));
  Engine::Tensors results;
  return engine.runBlock(*block, {}, results) && setAll(engine, op.getResults(), results);
}

bool runExecuteRegion(Engine &engine, scf::ExecuteRegionOp op) {
  Engine::Tensors results;
  return op.getRegion().hasOneBlock() && engine.runBlock(op.getRegion().front(), {}, results) &&
         setAll(engine, op.getResults(), results);
}

bool runFor(Engine &engine, scf::ForOp op) {
  std::optional<int64_t> lower = engine.index(op.getLowerBound()), upper = engine.index(op.getUpperBound()),
                         step = engine.index(op.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return false;
  std::optional<Engine::Tensors> carried = takeAll(engine, op.getInitArgs());
  if (!carried)
    return false;
  for (int64_t i = *lower; i < *upper; i += *step) {
    Engine::Tensors arguments{HostTensor::scalar(op.getInductionVar().getType(), i)};
    llvm::append_range(arguments, std::move(*carried));
    carried->clear();
    if (!engine.spend(stepsPerTrip) || !engine.runBlock(*op.getBody(), std::move(arguments), *carried))
      return false;
    if (i > *upper - *step) // the next position may not fit
      break;
  }
  return setAll(engine, op.getResults(), std::move(*carried));
}

bool runWhile(Engine &engine, scf::WhileOp op) {
  std::optional<Engine::Tensors> carried = takeAll(engine, op.getInits());
  if (!carried)
    return false;
  while (true) {
    Engine::Tensors condition;
    if (!engine.spend(stepsPerTrip) || !engine.runBlock(*op.getBeforeBody(), std::move(*carried), condition))
      return false;
    bool goesOn = condition.front().integerAt(0) != 0;
    condition.erase(condition.begin());
    if (!goesOn)
      return setAll(engine, op.getResults(), std::move(condition));
    carried->clear();
    if (!engine.runBlock(*op.getAfterBody(), std::move(condition), *carried))
      return false;
  }
}

/// Iterations in order; each inserts its tiles into the shared outputs.
bool runForall(Engine &engine, scf::ForallOp op) {
  auto lower = engine.indices(op.getMixedLowerBound()), upper = engine.indices(op.getMixedUpperBound()),
       step = engine.indices(op.getMixedStep());
  std::optional<Engine::Tensors> outputs = takeAll(engine, op.getOutputs());
  if (!lower || !upper || !step || !outputs || llvm::any_of(*step, [](int64_t s) { return s <= 0; }))
    return false;
  SmallVector<int64_t> position = *lower;
  for (auto [l, u] : llvm::zip_equal(*lower, *upper))
    if (l >= u)
      return setAll(engine, op.getResults(), std::move(*outputs));
  for (auto [argument, output] : llvm::zip_equal(op.getRegionIterArgs(), *outputs))
    engine.set(argument, std::move(output));
  while (true) {
    for (auto [variable, value] : llvm::zip_equal(op.getInductionVars(), position))
      engine.set(variable, HostTensor::scalar(variable.getType(), value));
    for (Operation &nested : op.getBody()->without_terminator())
      if (!engine.execute(&nested))
        return false;
    for (Operation &insert : op.getTerminator().getYieldingOps())
      if (!engine.spend(1) || !engine.execute(&insert))
        return false;
    size_t dim = position.size();
    while (dim-- > 0 && (position[dim] += (*step)[dim]) >= (*upper)[dim])
      position[dim] = (*lower)[dim];
    if (dim == static_cast<size_t>(-1))
      break;
  }
  outputs->clear();
  for (Value argument : op.getRegionIterArgs())
    outputs->push_back(*engine.get(argument));
  return setAll(engine, op.getResults(), std::move(*outputs));
}

} // namespace

void sinter::addControlFlowHandlers(HandlerTable &table) {
  addHandler<scf::IfOp, runIf>(table);
  addHandler<scf::IndexSwitchOp, runIndexSwitch>(table);
  addHandler<scf::ExecuteRegionOp, runExecuteRegion>(table);
  addHandler<scf::ForOp, runFor>(table);
  addHandler<scf::WhileOp, runWhile>(table);
  addHandler<scf::ForallOp, runForall>(table);
}
