// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward aliasing on buffer IR. (check.cpp traces backward on its own, on purpose.)
#include "aliases.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

void appendAliases(OpOperand &use, SmallVectorImpl<Value> &aliases) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  TypeSwitch<Operation *>(op)
      .Case<scf::ForOp>([&](scf::ForOp loop) {
        unsigned carried = number - loop.getNumControlOperands();
        aliases.push_back(loop.getRegionIterArg(carried));
        aliases.push_back(loop.getResult(carried));
      })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { aliases.push_back(loop.getBeforeArguments()[number]); })
      .Case<scf::ConditionOp>([&](scf::ConditionOp condition) {
        auto loop = cast<scf::WhileOp>(condition->getParentOp());
        aliases.push_back(loop.getAfterArguments()[number - 1]);
        aliases.push_back(loop.getResult(number - 1));
      })
      .Case<scf::YieldOp>([&](scf::YieldOp yield) {
        Operation *parent = yield->getParentOp();
        if (auto loop = dyn_cast<scf::ForOp>(parent))
          aliases.push_back(loop.getRegionIterArg(number));
        if (auto loop = dyn_cast<scf::WhileOp>(parent))
          aliases.push_back(loop.getBeforeArguments()[number]);
        else
          aliases.push_back(parent->getResult(number));
      })
      .Default([&](Operation *other) {
        for (Value result : other->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            aliases.push_back(result);
      });
}

bool allTouches(Value root, function_ref<bool(OpOperand &)> touch, function_ref<void(Value)> alias) {
  SmallVector<Value> worklist{root};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (alias)
      alias(value);
    for (OpOperand &use : value.getUses()) {
      appendAliases(use, worklist);
      if (!isa<ViewLikeOpInterface, memref::DimOp>(use.getOwner()) && !touch(use))
        return false;
    }
  }
  return true;
}

void forEachTouch(Value root, function_ref<void(OpOperand &)> touch, function_ref<void(Value)> alias) {
  auto always = [&](OpOperand &use) {
    touch(use);
    return true;
  };
  (void)allTouches(root, always, alias);
}

/// An op that does not say what it does to memory does everything.
template <class Effect>
static bool mayHave(OpOperand &use) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(use.getOwner());
  return !effects || effects.getEffectOnValue<Effect>(use.get()).has_value();
}

bool mayRead(OpOperand &use) { return mayHave<MemoryEffects::Read>(use); }
bool mayWrite(OpOperand &use) { return mayHave<MemoryEffects::Write>(use); }

} // namespace sinter
