// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a tensor's dim comes from, through the ops that conversion makes; and the interval that a size lies in.
#include "sizes.h"

#include "ir/destinations.h"
#include "ir/dim_bounds.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace sinter {

Size dimOf(OpBuilder &b, Location loc, Value shaped, int64_t index) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.isDynamicDim(index))
    return b.getIndexAttr(type.getDimSize(index));
  /// The operand that stands for dynamic dim `index` among `sizes` (one per dynamic dim of the type).
  auto dynamicOperand = [&](ValueRange sizes) -> Size { return sizes[type.getDynamicDimIndex(index)]; };
  auto result = dyn_cast<OpResult>(shaped);
  Operation *op = shaped.getDefiningOp();
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return dynamicOperand(empty.getDynamicSizes());
  if (auto input = dyn_cast_or_null<InputOp>(op))
    return dynamicOperand(input.getSizes());
  if (auto toTensor = dyn_cast_or_null<bufferization::ToTensorOp>(op))
    return dimOf(b, loc, toTensor.getMemref(), index);
  if (auto dps = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return dimOf(b, loc, dps.getTiedOpOperand(result)->get(), index);
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    return dimOf(b, loc, cast.getSource(), index);
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    int64_t kept = -1;
    for (int64_t i = 0; i < static_cast<int64_t>(dropped.size()); ++i)
      if (!dropped.test(i) && ++kept == index)
        return slice.getMixedSizes()[i];
  }
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return getMixedValues(expand.getStaticOutputShape(), expand.getOutputShape(), b)[index];
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    Sizes group;
    ReassociationIndices folded = collapse.getReassociationIndices()[index];
    for (int64_t i : folded)
      group.push_back(dimOf(b, loc, collapse.getSrc(), i));
    return product(b, loc, group);
  }
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op)) {
    if (static_cast<int64_t>(concat.getDim()) != index)
      return dimOf(b, loc, concat.getInputs().front(), index);
    Size sum = b.getIndexAttr(0);
    for (Value input : concat.getInputs())
      sum = add(b, loc, sum, dimOf(b, loc, input, index));
    return sum;
  }
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op)) { // of which every iteration writes into what it got
    unsigned number = result.getResultNumber();
    if (originOf(loop.getYieldedValues()[number]) == loop.getRegionIterArg(number))
      return dimOf(b, loc, loop.getInitArgs()[number], index);
  }
  return b.createOrFold<tensor::DimOp>(loc, shaped, index);
}

/// With bounds that are fresh for each question: the IR grows between them.
static std::optional<std::pair<int64_t, int64_t>> rangeBy(DimBounds bounds, Size size) {
  if (std::optional<int64_t> c = constantOf(size))
    return std::pair(*c, *c);
  Interval interval = bounds.ofValue(cast<Value>(size));
  if (interval.low == INT64_MIN || interval.high == INT64_MAX)
    return std::nullopt;
  return std::pair(interval.low, interval.high);
}

std::optional<std::pair<int64_t, int64_t>> rangeOf(Size size) { return rangeBy(DimBounds(), size); }

std::optional<std::pair<int64_t, int64_t>> rangeOfData(Size size) { return rangeBy(DimBounds(DimBounds::Seen), size); }

} // namespace sinter
