// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which buffer carries what from iteration to iteration, and out of a choice. A carried value has one buffer: what
// starts it, what the body sees, what the body hands on and what the loop leaves lie there. Whoever else still reads
// one of these gets a copy, made before it is overwritten. Both branches of a choice write into one buffer. Values that
// are made in their place already are not copied: place_destinations.cpp sees to that.
#include "passes/passes.h"

#include "ir/destinations.h"
#include "ir/dialect.h"
#include "ir/op_order.h"
#include "passes/buffers/support/while_arguments.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace sinter;

namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Readers of `value` other than `use`, or of views of it, behind `op`, in its regions, or in a loop op itself. (What
/// comes before it has read already, unless a loop around both comes round; then `value` is made anew too, or is not
/// `op`'s to take.)
bool isUsedFrom(Operation *op, Value value, OpOperand *use, const OpOrder &order) {
  return llvm::any_of(value.getUses(), [&](OpOperand &other) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*other.getOwner());
    bool isWithin = user == op && (other.getOwner() != op || isa<LoopLikeOpInterface>(op));
    if (&other != use && (!user || isWithin || order.isBefore(op, user)))
      return true;
    return llvm::any_of(other.getOwner()->getResults(), [&](Value result) {
      return viewSource(result) == value && isUsedFrom(op, result, use, order);
    });
  });
}

/// Memory that may be written: new, or carried by the loop right around.
bool isOwnOfLoop(Value origin, Operation *loop) {
  if (origin.getParentBlock() != loop->getBlock())
    return false;
  return isa<BlockArgument>(origin) ? isa<LoopLikeOpInterface>(loop->getParentOp())
                                    : isa<tensor::EmptyOp, bufferization::AllocTensorOp>(origin.getDefiningOp());
}

/// A loop starts from memory of its own: a value that somebody else needs later is copied, and so is what lies in
/// memory that is not to be written.
void separateInits(Operation *loop, MutableArrayRef<OpOperand> inits, OpOrder &order) {
  OpBuilder builder(loop, &order);
  for (OpOperand &init : inits)
    if (isTensor(init.get()) &&
        (!isOwnOfLoop(originOf(init.get()), loop) || isUsedFrom(loop, init.get(), &init, order)))
      init.set(copyOf(builder, loop->getLoc(), init.get()));
}

/// `value` is `carried`, updated step by step, and nobody looks at what a step overwrites.
bool isUpdateOf(Value value, Value carried, const OpOrder &order) {
  while (OpOperand *updated = updatedOperand(value)) {
    value = updated->get();
    if (isUsedFrom(updated->getOwner(), value, updated, order))
      return false;
  }
  return value == carried;
}

/// The values that `terminator` hands on go into the buffers of `carried`. A value that lies in another one's buffer is
/// copied from there before that is overwritten; where two wait for each other, one is saved first.
void settleYield(Operation *terminator, MutableArrayRef<OpOperand> passed, ValueRange carried, OpOrder &opOrder) {
  OpBuilder builder(terminator, &opOrder);
  Location loc = terminator->getParentOp()->getLoc();
  auto inLoop = [&](Value value) { return llvm::find(carried, value) - carried.begin(); };
  auto save = [&](OpOperand &operand) { operand.set(copyOf(builder, loc, operand.get())); };
  SmallVector<size_t> waiting;
  std::vector<SmallVector<size_t>> readsFrom(passed.size()); // places of other values
  for (auto [i, operand] : llvm::enumerate(passed)) {
    if (!isTensor(operand.get()) || isUpdateOf(operand.get(), carried[i], opOrder))
      continue;
    for (Value memory : memoryOf(operand.get()))
      if (size_t place = inLoop(memory); place < carried.size() && place != i)
        readsFrom[i].push_back(place);
      else if (place == i) // another order of what it overwrites
        readsFrom[i].push_back(i);
    waiting.push_back(i);
  }
  auto isReadByOthers = [&](size_t place) {
    return llvm::any_of(waiting, [&](size_t i) { return llvm::is_contained(readsFrom[i], place); });
  };
  // What waits for itself, or for what waits for it.
  SmallVector<size_t> order;
  while (!waiting.empty()) {
    auto free = llvm::find_if(waiting, [&](size_t i) { return !isReadByOthers(i); });
    if (free != waiting.end()) {
      order.push_back(*free);
      waiting.erase(free);
      continue;
    }
    auto reader = llvm::find_if(waiting, [&](size_t i) { return !readsFrom[i].empty(); });
    save(passed[*reader]);
    readsFrom[*reader].clear();
  }
  for (size_t i : order) {
    Value value = passed[i].get();
    passed[i].set(
        builder.create<bufferization::MaterializeInDestinationOp>(loc, value.getType(), value, carried[i]).getResult());
  }
}

/// The input is what a call leaves of a state to the next one, so that its copy is the state's memory itself.
bool isOldState(Value value) {
  auto tensor = value.getDefiningOp<bufferization::ToTensorOp>();
  auto input = tensor ? tensor.getMemref().getDefiningOp<InputOp>() : nullptr;
  if (!input)
    return false;
  auto outputs = input->getParentOfType<func::FuncOp>().getOps<OutputOp>();
  return llvm::any_of(outputs, [&](OutputOp output) {
    auto state = output->getAttrOfType<IntegerAttr>("sinter.state");
    return state && state.getInt() == static_cast<int64_t>(input.getIndex());
  });
}

/// What the updates that end in `given` start from, in the branches of choices too.
void collectStarts(OpOperand &given, SmallVectorImpl<OpOperand *> &starts) {
  OpOperand *use = &given;
  while (OpOperand *updated = updatedOperand(use->get()))
    use = updated;
  auto choice = use->get().getDefiningOp<scf::IfOp>();
  if (!choice) {
    starts.push_back(use);
    return;
  }
  for (scf::YieldOp yield : {choice.thenYield(), choice.elseYield()})
    collectStarts(yield->getOpOperand(cast<OpResult>(use->get()).getResultNumber()), starts);
}

/// The one value that all updates start from that end in this result of the choice, or null.
Value commonStart(scf::IfOp choice, unsigned result, SmallVectorImpl<OpOperand *> &starts) {
  for (scf::YieldOp yield : {choice.thenYield(), choice.elseYield()})
    collectStarts(yield->getOpOperand(result), starts);
  bool isOne = llvm::all_of(starts, [&](OpOperand *start) { return start->get() == starts.front()->get(); });
  return isOne ? starts.front()->get() : Value();
}

/// Of a state that each branch updates in its way, or leaves, there is one copy, made in front of the choice.
void separateStates(scf::IfOp choice) {
  for (OpResult result : choice.getResults()) {
    SmallVector<OpOperand *> starts;
    Value start = commonStart(choice, result.getResultNumber(), starts);
    if (!start || !isOldState(start))
      continue;
    OpBuilder builder(choice);
    Value own = copyOf(builder, choice.getLoc(), start);
    for (OpOperand *use : starts)
      use->set(own);
  }
}

/// Precondition: the branches give one size, known in front of the choice, and do not update one buffer anyway. (Else
/// the choice is between two buffers.)
void settleChoice(scf::IfOp choice, OpOrder &order) {
  OpBuilder builder(choice, &order);
  DominanceInfo dominance;
  for (OpResult result : choice.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    OpOperand &thenValue = choice.thenYield()->getOpOperand(result.getResultNumber());
    OpOperand &elseValue = choice.elseYield()->getOpOperand(result.getResultNumber());
    if (!type)
      continue;
    SmallVector<OpOperand *> starts;
    if (commonStart(choice, result.getResultNumber(), starts))
      continue;
    bool oneSize = true;
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim)) {
        OpFoldResult size = sizeAtOrigin(builder, thenValue.get(), dim);
        auto value = llvm::dyn_cast_if_present<Value>(size);
        oneSize &=
            value && size == sizeAtOrigin(builder, elseValue.get(), dim) && dominance.properlyDominates(value, choice);
        sizes.push_back(value);
      }
    if (!oneSize)
      continue;
    builder.setInsertionPoint(choice);
    // An alloc_tensor, because tensor.empty is never shared.
    Value place = builder.create<bufferization::AllocTensorOp>(choice.getLoc(), type, sizes);
    for (OpOperand *value : {&thenValue, &elseValue}) {
      builder.setInsertionPoint(value->getOwner());
      value->set(builder.create<bufferization::MaterializeInDestinationOp>(choice.getLoc(), type, value->get(), place)
                     .getResult());
    }
  }
}

/// Constants are computed by the interpreter: values there need no place.
bool isInConstant(Operation *op) { return op->getParentOfType<ConstantOp>(); }

} // namespace

LogicalResult sinter::placeYields(ModuleOp module) {
  SmallVector<scf::WhileOp> whiles;
  module.walk([&](scf::WhileOp loop) {
    if (!isInConstant(loop))
      whiles.push_back(loop);
  });
  IRRewriter rewriter(module.getContext());
  for (scf::WhileOp loop : whiles)
    passArgumentsOn(rewriter, loop);
  // The outermost choice has the copy.
  module.walk<WalkOrder::PreOrder>([](scf::IfOp choice) {
    if (!isInConstant(choice))
      separateStates(choice);
  });
  OpOrder order(module);
  module.walk([&](Operation *op) {
    if (isInConstant(op))
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      separateInits(loop, loop.getInitArgsMutable(), order);
      settleYield(loop.getBody()->getTerminator(), loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs(),
                  order);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      separateInits(loop, loop.getInitsMutable(), order);
      settleYield(loop.getYieldOp(), loop.getYieldOp().getResultsMutable(), loop.getAfterArguments(), order);
    } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
      settleChoice(choice, order);
    }
  });
  return success();
}
