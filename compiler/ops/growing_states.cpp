// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "growing_states.h"

#include "ir/state_rows.h"
#include "size_relation.h"

using namespace mlir;

namespace sinter {

std::optional<int64_t> growingAxis(DictionaryAttr output, DictionaryAttr input) {
  auto to = input.getAs<ArrayAttr>("dims"), from = output.getAs<ArrayAttr>("dims");
  if (input.get("element") != output.get("element") || to.size() != from.size())
    return std::nullopt;
  std::optional<int64_t> axis;
  for (auto [d, dims] : llvm::enumerate(llvm::zip(from, to))) {
    auto [made, given] = dims;
    if (made == given)
      continue;
    if (axis || !isa<StringAttr>(given))
      return std::nullopt;
    axis = static_cast<int64_t>(d);
  }
  return axis;
}

/// The whole buffer of an input, of which `old` becomes the part in use.
static Value withCapacity(OpBuilder &builder, GrowingState &state, Value old) {
  auto asTensor = old.getDefiningOp<bufferization::ToTensorOp>();
  auto input = asTensor.getMemref().getDefiningOp<InputOp>();
  builder.setInsertionPoint(asTensor);
  Sizes held = getMixedValues(input.getType().getShape(), input.getSizes(), builder), all = held;
  auto dim = cast<Value>(held[static_cast<size_t>(state.axis)]).getDefiningOp<DimOp>();
  state.capacity = static_cast<int64_t>(dim.getMax());
  all[static_cast<size_t>(state.axis)] = sizeOf(builder, state.capacity);
  SmallVector<Value> dynamic;
  for (Size size : all)
    if (!constantOf(size))
      dynamic.push_back(cast<Value>(size));
  auto type = MemRefType::get(staticShape(all), input.getType().getElementType());
  Value buffer = builder.create<InputOp>(input.getLoc(), type, input.getIndex(), dynamic, input.getName(), false);
  Value whole = builder.create<bufferization::ToTensorOp>(asTensor.getLoc(), buffer, /*restrict=*/true);
  Sizes zeros(all.size(), sizeOf(builder, 0)), ones(all.size(), sizeOf(builder, 1));
  state.part = builder.create<tensor::ExtractSliceOp>(asTensor.getLoc(), cast<RankedTensorType>(old.getType()), whole,
                                                      zeros, held, ones);
  old.replaceAllUsesWith(state.part);
  asTensor.erase();
  input.erase();
  return whole;
}

void requireRowsToFit(const Tensors &at, Size rows, int64_t capacity) {
  Holds holds = relationHolds(at, "<=", rows, sizeOf(at.b, capacity));
  if (holds.kind == Holds::Yes)
    return;
  Value fits = holds.kind == Holds::No ? Value(at.b.create<arith::ConstantIntOp>(at.loc, 0, 1)) : holds.condition;
  requireEarly(at, fits, "the state's rows lie within its capacity");
}

GrowingState growState(OpBuilder &builder, Value old, Tensor made, int64_t axis) {
  GrowingState state{axis, 0, {}, {}, {}};
  int64_t index = static_cast<int64_t>(
      old.getDefiningOp<bufferization::ToTensorOp>().getMemref().getDefiningOp<InputOp>().getIndex());
  Tensors at{builder, made.value.getLoc()};
  Value whole;
  {
    OpBuilder::InsertionGuard guard(builder);
    whole = withCapacity(builder, state, old);
  }
  if (made.value == old) // nothing new is made
    made.value = state.part;
  Sizes sizes = at.sizes(made), zeros(sizes.size(), sizeOf(builder, 0)), ones(sizes.size(), sizeOf(builder, 1));
  state.rows = sizes[static_cast<size_t>(axis)];
  {
    // The test stands in front of whatever writes behind the rows in use.
    OpBuilder::InsertionGuard guard(builder);
    if (auto rows = dyn_cast<Value>(state.rows))
      builder.setInsertionPointAfterValue(rows);
    requireRowsToFit(at, state.rows, state.capacity);
  }
  Value put = builder.create<tensor::InsertSliceOp>(at.loc, made.value, whole, zeros, sizes, ones);
  builder.create<StateRowsOp>(at.loc, toValue(builder, at.loc, state.rows), index);
  state.whole = {put, made.element};
  return state;
}

} // namespace sinter
