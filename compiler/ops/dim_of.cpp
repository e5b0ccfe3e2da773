// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a tensor's dim comes from, through the ops that conversion makes; and the interval that a size lies in.
#include "sizes.h"

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
  return b.createOrFold<tensor::DimOp>(loc, shaped, index);
}

namespace {
using Range = std::pair<int64_t, int64_t>;

std::optional<Range> rangeOfExpr(AffineExpr expr, ArrayRef<Range> dims, ArrayRef<Range> symbols) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return Range{c.getValue(), c.getValue()};
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return dims[d.getPosition()];
  if (auto s = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[s.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Range> x = rangeOfExpr(binary.getLHS(), dims, symbols), y = rangeOfExpr(binary.getRHS(), dims, symbols);
  if (!x || !y)
    return std::nullopt;
  auto hull = [](std::initializer_list<int64_t> values) { return Range{std::min(values), std::max(values)}; };
  int64_t divisor = y->first == y->second ? y->first : 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return Range{x->first + y->first, x->second + y->second};
  case AffineExprKind::Mul:
    return hull({x->first * y->first, x->first * y->second, x->second * y->first, x->second * y->second});
  case AffineExprKind::FloorDiv:
    if (divisor > 0)
      return Range{llvm::divideFloorSigned(x->first, divisor), llvm::divideFloorSigned(x->second, divisor)};
    return std::nullopt;
  case AffineExprKind::CeilDiv:
    if (divisor > 0)
      return Range{llvm::divideCeilSigned(x->first, divisor), llvm::divideCeilSigned(x->second, divisor)};
    return std::nullopt;
  case AffineExprKind::Mod:
    if (divisor > 0)
      return Range{0, divisor - 1};
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<SmallVector<Range>> rangesOf(ValueRange values) {
  SmallVector<Range> ranges;
  for (Value value : values) {
    std::optional<Range> range = rangeOf(value);
    if (!range)
      return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges;
}

/// Ranges of an affine op's results, folded by `pick` (min of minima for affine.min, ...).
template <class Pick>
std::optional<Range> rangeOfMap(AffineMap map, ValueRange operands, Pick pick) {
  std::optional<SmallVector<Range>> ranges = rangesOf(operands);
  if (!ranges)
    return std::nullopt;
  ArrayRef<Range> all = *ranges;
  std::optional<Range> result;
  for (AffineExpr expr : map.getResults()) {
    std::optional<Range> r = rangeOfExpr(expr, all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    if (!r)
      return std::nullopt;
    result = result ? Range{pick(result->first, r->first), pick(result->second, r->second)} : *r;
  }
  return result;
}
} // namespace

std::optional<Range> rangeOf(Size size) {
  if (std::optional<int64_t> c = constantOf(size))
    return Range{*c, *c};
  Operation *op = cast<Value>(size).getDefiningOp();
  auto low = [](int64_t x, int64_t y) { return std::min(x, y); };
  auto high = [](int64_t x, int64_t y) { return std::max(x, y); };
  if (auto dim = dyn_cast_or_null<DimOp>(op))
    return Range{dim.getMin(), dim.getMax()};
  if (auto bound = dyn_cast_or_null<BoundOp>(op))
    return Range{bound.getMin(), bound.getMax()};
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    return rangeOfMap(apply.getAffineMap(), apply.getOperands(), low);
  if (auto min = dyn_cast_or_null<affine::AffineMinOp>(op))
    return rangeOfMap(min.getAffineMap(), min.getOperands(), low);
  if (auto max = dyn_cast_or_null<affine::AffineMaxOp>(op))
    return rangeOfMap(max.getAffineMap(), max.getOperands(), high);
  if (auto castOp = dyn_cast_or_null<arith::IndexCastOp>(op))
    return rangeOf(castOp.getIn());
  if (auto infer = dyn_cast_or_null<InferIntRangeInterface>(op)) {
    std::optional<SmallVector<Range>> ranges = rangesOf(op->getOperands());
    if (!ranges)
      return std::nullopt;
    SmallVector<ConstantIntRanges> operands;
    for (auto [range, operand] : llvm::zip(*ranges, op->getOperands())) {
      unsigned width = ConstantIntRanges::getStorageBitwidth(operand.getType());
      operands.push_back(ConstantIntRanges::fromSigned(APInt(width, range.first, true), APInt(width, range.second, true)));
    }
    std::optional<Range> result;
    infer.inferResultRanges(operands, [&](Value value, const ConstantIntRanges &range) {
      if (value == cast<Value>(size))
        result = Range{range.smin().getSExtValue(), range.smax().getSExtValue()};
    });
    return result;
  }
  return std::nullopt;
}

} // namespace sinter
