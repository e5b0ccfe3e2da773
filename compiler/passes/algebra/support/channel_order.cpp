// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "channel_order.h"

#include "ir/value_names.h"

#include "channel_constants.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {
namespace {

/// A nest that makes each element of those at the same place, or of constants.
bool isPlainElementwise(linalg::GenericOp op) {
  return isEmptyInit(op) && !op.getNumReductionLoops() && !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty();
}

/// The channels of `part` within those of `concat`, from `first` on, are in `order`; the others stay.
SmallVector<int64_t> orderOfConcat(tensor::ConcatOp concat, int64_t first, ArrayRef<int64_t> order) {
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, concat.getResultType().getDimSize(1)));
  for (auto [c, from] : llvm::enumerate(order))
    all[first + c] = first + from;
  return all;
}

/// Where the part begins that `use` is.
int64_t firstChannel(OpOperand &use) {
  int64_t first = 0;
  for (Value part : use.getOwner()->getOperands().take_front(use.getOperandNumber()))
    first += cast<ShapedType>(part.getType()).getDimSize(1);
  return first;
}

} // namespace

bool ChannelOrder::isKnown(Value constant) {
  return isa<RankedTensorType>(constant.getType()) && isConstant(constant, cache) && evaluate(constant, cache);
}

Value ChannelOrder::pickedBy(OpOperand &use) {
  Value result = use.getOwner()->getNumResults() == 1 ? use.getOwner()->getResult(0) : Value();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(use.getOwner())) {
    if (!expand->hasOneUse())
      return {};
    Operation *transpose = *expand->user_begin();
    if (!isa<linalg::TransposeOp>(transpose) || !transpose->hasOneUse())
      return {};
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(*transpose->user_begin());
    result = collapse ? collapse.getResult() : Value();
  } else if (auto read = dyn_cast<tensor::ExtractOp>(use.getOwner())) { // in a loop nest
    auto nest = read->getParentOfType<linalg::GenericOp>();
    result = nest && nest.getNumResults() == 1 ? nest.getResult(0) : Value();
  }
  std::optional<ChannelGather> gather = result ? channelGather(result, cache) : std::nullopt;
  return gather && gather->source == use.get() ? result : Value();
}

SmallVector<PickedChannels> ChannelOrder::readingsOf(Value map) {
  SmallVector<PickedChannels> readings;
  SmallVector<PickedChannels> pending = {
      {map, llvm::to_vector(llvm::seq<int64_t>(0, cast<ShapedType>(map.getType()).getDimSize(1)))}};
  while (!pending.empty()) {
    PickedChannels next = pending.pop_back_val();
    bool isRead = false;
    for (OpOperand &use : next.value.getUses()) {
      Value picked = pickedBy(use);
      if (!picked) {
        isRead |= !isa<tensor::DimOp>(use.getOwner());
        continue;
      }
      PickedChannels further{picked, channelGather(picked, cache)->channels};
      for (int64_t &channel : further.channels)
        channel = next.channels[channel];
      pending.push_back(std::move(further));
    }
    if (isRead)
      readings.push_back(std::move(next));
  }
  return readings;
}

OpOperand *ChannelOrder::keptOperand(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    if (!isPlainElementwise(generic))
      return nullptr;
    OpOperand *kept = nullptr;
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input);
      if (!map.isFunctionOfDim(1))
        continue;
      AffineExpr channel = getAffineDimExpr(1, op->getContext());
      if (map.isIdentity() && !isConstant(input->get(), cache)) {
        if (kept)
          return nullptr;
        kept = input;
      } else if (!isKnown(input->get()) || !llvm::is_contained(map.getResults(), channel) ||
                 llvm::count_if(map.getResults(), [](AffineExpr e) { return e.isFunctionOfDim(1); }) != 1) {
        return nullptr;
      }
    }
    return kept;
  }
  if (auto pool = dyn_cast<PoolOp>(op))
    return !pool.isBlocked() && isEmptyInit(pool) ? &pool.getInputMutable() : nullptr;
  if (auto conv = dyn_cast<ConvOp>(op); conv && isDepthwise(conv) && plainWeights(conv, cache))
    return isKnown(conv.getFilter()) ? &conv.getInputMutable() : nullptr;
  return nullptr;
}

bool ChannelOrder::canFollow(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::DimOp>(op))
    return true;
  if (Value picked = pickedBy(use)) // a slice would become a copy
    return isFree(picked) || !isRange(channelGather(picked, cache)->channels);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.getDim() == 1 && hasChannels(concat.getResult()) && isFree(concat.getResult());
  if (auto conv = dyn_cast<ConvOp>(op); conv && conv.getGroup() == 1)
    return &use == &conv.getInputMutable() && plainWeights(op, cache) && isKnown(conv.getFilter());
  return keptOperand(op) == &use && isFree(op->getResult(0));
}

bool ChannelOrder::isFree(Value value) {
  if (auto known = freeValues.find(value); known != freeValues.end())
    return known->second;
  bool isFree = llvm::all_of(value.getUses(), [&](OpOperand &use) { return canFollow(use); });
  return freeValues[value] = isFree;
}

bool ChannelOrder::isSummed(Value value) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    return isa<ConvOp, MatmulOp>(use.getOwner()) ||
           (keptOperand(use.getOwner()) == &use && isSummed(use.getOwner()->getResult(0)));
  });
}

bool ChannelOrder::isMadeFreely(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (OpOperand *kept = keptOperand(op))
    return kept->get().hasOneUse() && isMadeFreely(kept->get());
  if (auto conv = dyn_cast<ConvOp>(op))
    return conv.getGroup() == 1 && plainWeights(conv, cache) && isKnown(conv.getFilter());
  std::optional<ChannelGather> gather = channelGather(value, cache);
  return gather && !isRange(gather->channels);
}

/// The op's result is in another order than the value of the model that it stood for.
static void loseValueNames(Operation *op) { op->setLoc(withoutValueNames(op->getLoc())); }

void ChannelOrder::reorderConstant(OpOperand &operand, int64_t dim, ArrayRef<int64_t> order) {
  OpBuilder b(operand.getOwner());
  Value old = operand.get();
  HostTensor moved = keptElements(*evaluate(old, cache), dim, order);
  operand.set(constantOf(b, old.getLoc(), moved, getElementTypeOrSelf(old.getType())));
}

void ChannelOrder::reorderConstants(Operation *op, ArrayRef<int64_t> order) {
  if (auto conv = dyn_cast<ConvOp>(op)) {
    reorderConstant(conv.getFilterMutable(), 0, order);
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    OpOperand *kept = keptOperand(op);
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input);
      if (input != kept && map.isFunctionOfDim(1))
        reorderConstant(*input,
                        llvm::find(map.getResults(), getAffineDimExpr(1, op->getContext())) - map.getResults().begin(),
                        order);
    }
  }
}

void ChannelOrder::follow(OpOperand &use, ArrayRef<int64_t> order) {
  Operation *op = use.getOwner();
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    reorderReaders(concat.getResult(), orderOfConcat(concat, firstChannel(use), order));
  } else if (auto conv = dyn_cast<ConvOp>(op); conv && conv.getGroup() == 1) {
    reorderConstant(conv.getFilterMutable(), 1, order);
  } else if (!isa<tensor::DimOp>(op)) {
    reorderConstants(op, order);
    reorderReaders(op->getResult(0), order);
  }
}

void ChannelOrder::reorderReaders(Value value, ArrayRef<int64_t> order) {
  if (Operation *op = value.getDefiningOp(); op && !isRange(order))
    loseValueNames(op);
  SmallVector<int64_t> places = inverseOrder(order);
  SmallVector<OpOperand *> readers;
  SmallVector<Value> picked;
  for (OpOperand &use : value.getUses())
    if (Value result = pickedBy(use))
      picked.push_back(result);
    else
      readers.push_back(&use);
  for (OpOperand *reader : readers)
    follow(*reader, order);
  for (Value old : picked) {
    ChannelGather gather = *channelGather(old, cache);
    for (int64_t &channel : gather.channels)
      channel = places[channel];
    replace(old, gather);
  }
}

void ChannelOrder::readInPlace(Value value, const ChannelGather &gather) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, gather.channels.size()));
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return gather.channels[a] < gather.channels[b]; });
  reorderReaders(value, order);
  ChannelGather sorted{gather.source, {}};
  for (int64_t channel : order)
    sorted.channels.push_back(gather.channels[channel]);
  replace(value, sorted);
}

void ChannelOrder::replace(Value old, const ChannelGather &gather) {
  OpBuilder b(old.getDefiningOp());
  Value made = gatherChannels(b, old.getLoc(), gather);
  if (made == old)
    return;
  old.replaceAllUsesWith(made);
  for (Operation *op = old.getDefiningOp(); op && isOpTriviallyDead(op);) {
    Operation *before = op->getNumOperands() ? op->getOperand(0).getDefiningOp() : nullptr;
    cache.forget(op);
    for (Value result : op->getResults())
      freeValues.erase(result);
    op->erase();
    op = before;
  }
}

void ChannelOrder::reorderMaker(Value value, ArrayRef<int64_t> order) {
  Operation *op = value.getDefiningOp();
  loseValueNames(op);
  if (OpOperand *kept = keptOperand(op)) {
    reorderConstants(op, order);
    reorderMaker(kept->get(), order);
  } else if (auto conv = dyn_cast<ConvOp>(op)) {
    reorderConstant(conv.getFilterMutable(), 0, order);
  } else {
    ChannelGather gather = *channelGather(value, cache), moved{gather.source, {}};
    for (int64_t channel : order)
      moved.channels.push_back(gather.channels[channel]);
    replace(value, moved);
  }
}

} // namespace sinter
