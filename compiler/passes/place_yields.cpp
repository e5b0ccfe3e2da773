// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop carries stays in one buffer, and both branches of a choice write their results into the same one.
// One-shot bufferization wants the former and gains from the latter; where a value is made in its place already, the
// copies inserted here fold away.
#include "passes.h"

#include "ir/destinations.h"

#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace sinter;

namespace {

Value emptyLike(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(builder.create<tensor::DimOp>(loc, tensor, dim));
  return builder.create<tensor::EmptyOp>(loc, type, sizes);
}

/// Each value that `terminator` passes on goes into the buffer of its place in `carried`.
void settle(Operation *terminator, MutableArrayRef<OpOperand> passed, ValueRange carried) {
  OpBuilder builder(terminator);
  for (auto [i, operand] : llvm::enumerate(passed)) {
    Value value = operand.get(), place = carried[i];
    if (!isa<RankedTensorType>(value.getType()) || value == place)
      continue;
    // The value that another place holds, which may be overwritten by now: saved while it is there.
    if (Value origin = originOf(value); origin != place && llvm::is_contained(carried, origin)) {
      builder.setInsertionPointAfterValue(value);
      value =
          builder.create<linalg::CopyOp>(value.getLoc(), value, emptyLike(builder, value.getLoc(), value)).getResult(0);
    }
    builder.setInsertionPoint(terminator);
    operand.set(builder.create<bufferization::MaterializeInDestinationOp>(value.getLoc(), value.getType(), value, place)
                    .getResult());
  }
}

/// Precondition: the branches give one size, known in front of the choice, and do not update one buffer anyway. (Else
/// the choice is between two buffers.)
void settleChoice(scf::IfOp choice) {
  OpBuilder builder(choice);
  DominanceInfo dominance;
  for (OpResult result : choice.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    OpOperand &thenValue = choice.thenYield()->getOpOperand(result.getResultNumber());
    OpOperand &elseValue = choice.elseYield()->getOpOperand(result.getResultNumber());
    if (!type || originOf(thenValue.get()) == originOf(elseValue.get()))
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

} // namespace

LogicalResult sinter::placeYields(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      settle(loop.getBody()->getTerminator(), loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      settle(loop.getConditionOp(), loop.getConditionOp().getArgsMutable(), loop.getBeforeArguments());
      settle(loop.getYieldOp(), loop.getYieldOp().getResultsMutable(), loop.getAfterArguments());
    } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
      settleChoice(choice);
    }
  });
  return success();
}
