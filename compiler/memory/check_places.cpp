// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_places.h"

#include "ir/dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace sinter {

ArenaPlaces::ArenaPlaces(func::FuncOp function) : arenas(arenasOf(function)) {
  function.walk([&](ArenaOp op) {
    number[op.getResult()] = all.size();
    all.push_back({op, static_cast<int64_t>(op.getOffset()), static_cast<int64_t>(op.getOffset() + op.getBytes()),
                   findArena(arenas, spaceOf(op.getType()))});
  });
  DenseSet<int64_t> states;
  function.walk([&](InputOp op) {
    if (op.getState())
      states.insert(op.getIndex());
  });
  function.walk([&](InputOp op) {
    if (!states.contains(op.getIndex()))
      return;
    number[op.getResult()] = all.size();
    all.push_back({op, 0, 1, std::nullopt, static_cast<int64_t>(op.getIndex())});
  });
}

static void addSources(Value value, SetVector<Value> &sources) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned index = argument.getArgNumber();
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      sources.insert(loop.getInitArgs()[index - 1]);
      sources.insert(loop.getYieldedValues()[index - 1]);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getOwner() == loop.getAfterBody()) {
        sources.insert(loop.getConditionOp().getArgs()[index]);
      } else {
        sources.insert(loop.getInits()[index]);
        sources.insert(loop.getYieldOp().getOperand(index));
      }
    }
    return;
  }
  Operation *op = value.getDefiningOp();
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    sources.insert(choice.thenYield().getOperand(index));
    sources.insert(choice.elseYield().getOperand(index));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    sources.insert(loop.getInitArgs()[index]);
    sources.insert(loop.getYieldedValues()[index]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    sources.insert(loop.getConditionOp().getArgs()[index]);
  } else {
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        sources.insert(operand);
  }
}

const SetVector<unsigned> &ArenaPlaces::of(Value value) {
  if (auto it = traced.find(value); it != traced.end())
    return *it->second;
  SetVector<unsigned> found;
  SetVector<Value> sources;
  sources.insert(value);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (auto it = number.find(sources[i]); it != number.end())
      found.insert(it->second);
    else
      addSources(sources[i], sources);
  }
  return *(traced[value] = std::make_unique<SetVector<unsigned>>(std::move(found)));
}

void collectAccesses(Operation *op, SmallVectorImpl<Value> &reads, SmallVectorImpl<Value> &writes) {
  if (auto loops =
          dyn_cast<linalg::LinalgOp>(op)) { // an operand whose element the body does not use only lends its sizes
    for (OpOperand &operand : op->getOpOperands())
      if (isa<BaseMemRefType>(operand.get().getType())) {
        if (loops.payloadUsesValueFromOperand(&operand))
          reads.push_back(operand.get());
        if (loops.isDpsInit(&operand))
          writes.push_back(operand.get());
      }
    return;
  }
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (auto &instance : instances)
      if (Value value = instance.getValue(); value && isa<BaseMemRefType>(value.getType()))
        (isa<MemoryEffects::Read>(instance.getEffect()) ? reads : writes).push_back(value);
    return;
  }
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType())) {
      reads.push_back(operand);
      writes.push_back(operand);
    }
}

unsigned elementWidth(Value buffer) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

} // namespace sinter
