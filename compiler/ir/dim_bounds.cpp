// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval analysis of sizes. All of arith, sinter.dim and sinter.bound come in through InferIntRangeInterface; affine
// maps are evaluated over intervals; shaped values are traced to where their sizes are stated.
#include "dim_bounds.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;

namespace sinter {
namespace {

ConstantIntRanges toRanges(Interval interval, Type type) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  if (width == 0 || width > 64 || (interval.low == INT64_MIN && interval.high == INT64_MAX))
    return ConstantIntRanges::maxRange(width);
  return ConstantIntRanges::fromSigned(APInt(width, interval.low, true), APInt(width, interval.high, true));
}

Interval toInterval(const ConstantIntRanges &ranges) {
  if (ranges.smin().getBitWidth() > 64 || ranges.smin().getBitWidth() == 0)
    return {};
  return {ranges.smin().getSExtValue(), ranges.smax().getSExtValue()};
}

/// The interval of an affine expression, by the interval of each operand. Overflow gives up the bound.
class AffineEvaluator : public AffineExprVisitor<AffineEvaluator, Interval> {
public:
  AffineEvaluator(ArrayRef<Interval> operands, unsigned dims) : operands(operands), dims(dims) {}

  Interval visitConstantExpr(AffineConstantExpr expr) { return {expr.getValue(), expr.getValue()}; }
  Interval visitDimExpr(AffineDimExpr expr) { return operands[expr.getPosition()]; }
  Interval visitSymbolExpr(AffineSymbolExpr expr) { return operands[dims + expr.getPosition()]; }
  Interval visitAddExpr(AffineBinaryOpExpr expr) {
    Interval a = visit(expr.getLHS()), b = visit(expr.getRHS()), sum;
    if (!isBounded(a) || !isBounded(b) || llvm::AddOverflow(a.low, b.low, sum.low) ||
        llvm::AddOverflow(a.high, b.high, sum.high))
      return {};
    return sum;
  }
  Interval visitMulExpr(AffineBinaryOpExpr expr) {
    Interval a = visit(expr.getLHS()), b = visit(expr.getRHS());
    int64_t corners[4];
    if (!isBounded(a) || !isBounded(b) || llvm::MulOverflow(a.low, b.low, corners[0]) ||
        llvm::MulOverflow(a.low, b.high, corners[1]) || llvm::MulOverflow(a.high, b.low, corners[2]) ||
        llvm::MulOverflow(a.high, b.high, corners[3]))
      return {};
    return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
  }
  Interval visitFloorDivExpr(AffineBinaryOpExpr expr) {
    return divide(expr, [](int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); });
  }
  Interval visitCeilDivExpr(AffineBinaryOpExpr expr) {
    return divide(expr, [](int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); });
  }
  Interval visitModExpr(AffineBinaryOpExpr expr) {
    Interval a = visit(expr.getLHS()), b = visit(expr.getRHS());
    if (b.low <= 0 || b.high == INT64_MAX)
      return {};
    if (a.low >= 0 && a.high < b.low)
      return a;
    return {0, b.high - 1};
  }

private:
  static bool isBounded(Interval interval) { return interval.low != INT64_MIN && interval.high != INT64_MAX; }

  template <class Divide>
  Interval divide(AffineBinaryOpExpr expr, Divide quotient) {
    Interval a = visit(expr.getLHS()), b = visit(expr.getRHS());
    if (!isBounded(a) || b.low <= 0 || b.high == INT64_MAX)
      return {};
    return {std::min(quotient(a.low, b.low), quotient(a.low, b.high)),
            std::max(quotient(a.high, b.low), quotient(a.high, b.high))};
  }

  ArrayRef<Interval> operands;
  unsigned dims;
};

} // namespace

Interval DimBounds::ofValue(Value value) { return get({value, -1}); }

Interval DimBounds::ofDim(Value shaped, int64_t dim) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.hasRank())
    return {};
  if (!type.isDynamicDim(dim))
    return {type.getDimSize(dim), type.getDimSize(dim)};
  Interval interval = get({shaped, dim});
  return {std::max<int64_t>(interval.low, 0), std::max<int64_t>(interval.high, 0)};
}

std::optional<int64_t> DimBounds::maxElements(Value shaped) {
  int64_t elements = 1;
  for (int64_t dim = 0, rank = cast<ShapedType>(shaped.getType()).getRank(); dim < rank; ++dim) {
    Interval size = ofDim(shaped, dim);
    if (size.high == INT64_MAX || llvm::MulOverflow(elements, size.high, elements))
      return std::nullopt;
  }
  return elements;
}

Interval DimBounds::ofSize(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return {*constant, *constant};
  return ofValue(cast<Value>(size));
}

Interval DimBounds::get(Key key) {
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Interval interval = compute(key);
  known[key] = interval;
  trail.push_back(key);
  return interval;
}

Interval DimBounds::compute(Key key) {
  auto [value, dim] = key;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument, dim);
  return dim < 0 ? computeInteger(cast<OpResult>(value)) : computeDim(cast<OpResult>(value), dim);
}

Interval DimBounds::assume(Key key, Interval init, Key yielded) {
  size_t mark = trail.size();
  known[key] = init;
  trail.push_back(key);
  bool holds = init.contains(yielded.second < 0 ? ofValue(yielded.first) : ofDim(yielded.first, yielded.second));
  if (holds)
    return init;
  for (size_t i = mark; i < trail.size(); ++i)
    known.erase(trail[i]);
  trail.resize(mark);
  return {};
}

Interval DimBounds::computeArgument(BlockArgument argument, int64_t dim) {
  Operation *loop = argument.getOwner()->getParentOp();
  if (argument.getOwner()->empty() || !argument.getOwner()->back().hasTrait<OpTrait::IsTerminator>())
    return {}; // a body that is being built
  unsigned number = argument.getArgNumber();
  auto side = [dim = dim](Value value) { return Key(value, dim); };
  auto read = [&](Value value) { return dim < 0 ? ofValue(value) : ofDim(value, dim); };
  if (auto forOp = dyn_cast<scf::ForOp>(loop)) {
    if (number == 0) {
      Interval low = ofValue(forOp.getLowerBound()), high = ofValue(forOp.getUpperBound());
      return {low.low, high.high == INT64_MAX ? high.high : std::max(low.low, high.high - 1)};
    }
    return assume(side(argument), read(forOp.getInitArgs()[number - 1]), side(forOp.getYieldedValues()[number - 1]));
  }
  if (auto whileOp = dyn_cast<scf::WhileOp>(loop)) {
    if (argument.getOwner() == whileOp.getAfterBody())
      return read(whileOp.getConditionOp().getArgs()[number]);
    return assume(side(argument), read(whileOp.getInits()[number]), side(whileOp.getYieldOp().getOperand(number)));
  }
  return {};
}

Interval DimBounds::computeInteger(OpResult value) {
  Operation *op = value.getOwner();
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
    return index ? ofDim(dim.getShapedValue(), *index) : Interval{0, INT64_MAX};
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(op)) {
    // That data of 32 bits end somewhere is no bound of a size.
    Interval source = ofValue(op->getOperand(0));
    if (source.low <= INT32_MIN || source.high >= INT32_MAX)
      return {};
  }
  if (auto ranges = dyn_cast<InferIntRangeInterface>(op)) {
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : op->getOperands())
      operands.push_back(toRanges(operand.getType().isIntOrIndex() ? ofValue(operand) : Interval(), operand.getType()));
    Interval result;
    ranges.inferResultRanges(operands, [&](Value inferred, const ConstantIntRanges &range) {
      if (inferred == value)
        result = toInterval(range);
    });
    return result;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return computeAffine(apply.getAffineMap(), apply.getMapOperands(), false);
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return computeAffine(min.getAffineMap(), min.getMapOperands(), false);
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return computeAffine(max.getAffineMap(), max.getMapOperands(), true);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return ofValue(ifOp.thenYield().getOperand(value.getResultNumber()))
        .unite(ofValue(ifOp.elseYield().getOperand(value.getResultNumber())));
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return ofValue(forOp.getRegionIterArg(value.getResultNumber()));
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return ofValue(whileOp.getConditionOp().getArgs()[value.getResultNumber()]);
  return {};
}

Interval DimBounds::computeAffine(AffineMap map, ValueRange operands, bool isMax) {
  SmallVector<Interval> intervals;
  for (Value operand : operands)
    intervals.push_back(ofValue(operand));
  AffineEvaluator evaluator(intervals, map.getNumDims());
  Interval result = evaluator.visit(map.getResult(0));
  for (AffineExpr expr : map.getResults().drop_front()) {
    Interval next = evaluator.visit(expr);
    // Of a minimum, the least upper end is known even where other parts are unbounded; and the reverse.
    result = isMax ? Interval{std::max(result.low, next.low), std::max(result.high, next.high)}
                   : Interval{std::min(result.low, next.low), std::min(result.high, next.high)};
  }
  return result;
}

Interval DimBounds::computeDim(OpResult shaped, int64_t dim) {
  Operation *op = shaped.getOwner();
  auto product = [&](Value source, ArrayRef<int64_t> dims) {
    Interval result{1, 1};
    for (int64_t each : dims) {
      Interval size = ofDim(source, each);
      if (size.high == INT64_MAX || llvm::MulOverflow(result.high, size.high, result.high))
        return Interval{0, INT64_MAX};
      result.low *= size.low;
    }
    return result;
  };
  return TypeSwitch<Operation *, Interval>(op)
      .Case<tensor::EmptyOp>([&](auto empty) { return ofSize(empty.getMixedSizes()[dim]); })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>([&](auto slice) {
        SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        for (int64_t i = 0, kept = 0; i < static_cast<int64_t>(sizes.size()); ++i)
          if (!dropped.test(i) && kept++ == dim)
            return ofSize(sizes[i]);
        return Interval();
      })
      .Case<memref::AllocOp, memref::AllocaOp, ArenaOp, InputOp, OutputOp>([&](auto buffer) {
        auto type = cast<MemRefType>(shaped.getType());
        ValueRange sizes;
        if constexpr (std::is_same_v<decltype(buffer), memref::AllocOp> ||
                      std::is_same_v<decltype(buffer), memref::AllocaOp>)
          sizes = buffer.getDynamicSizes();
        else
          sizes = buffer.getSizes();
        return ofValue(sizes[type.getDynamicDimIndex(dim)]);
      })
      .Case<memref::CollapseShapeOp, tensor::CollapseShapeOp>(
          [&](auto reshape) { return product(reshape.getSrc(), reshape.getReassociationIndices()[dim]); })
      .Case<memref::ExpandShapeOp, tensor::ExpandShapeOp>([&](auto reshape) {
        return ofValue(reshape.getOutputShape()[cast<ShapedType>(shaped.getType()).getDynamicDimIndex(dim)]);
      })
      .Case<tensor::CastOp, memref::CastOp>([&](auto cast) { return ofDim(cast.getSource(), dim); })
      .Case<memref::ReinterpretCastOp>([&](auto cast) { return ofSize(cast.getMixedSizes()[dim]); })
      .Case<memref::TransposeOp>([&](auto transpose) {
        return ofDim(transpose.getIn(), transpose.getPermutation().getDimPosition(static_cast<unsigned>(dim)));
      })
      .Case<bufferization::ToTensorOp>([&](auto cast) { return ofDim(cast.getMemref(), dim); })
      .Case<tensor::InsertSliceOp, tensor::InsertOp>([&](auto insert) { return ofDim(insert.getDest(), dim); })
      .Case<tensor::ConcatOp>([&](auto concat) {
        Interval sum{0, 0};
        for (Value input : concat.getInputs()) {
          Interval size = ofDim(input, dim);
          if (static_cast<uint64_t>(dim) != concat.getDim())
            return size;
          if (size.high == INT64_MAX || llvm::AddOverflow(sum.high, size.high, sum.high))
            return Interval{0, INT64_MAX};
          sum.low += size.low;
        }
        return sum;
      })
      .Case<scf::IfOp>([&](auto ifOp) {
        return ofDim(ifOp.thenYield().getOperand(shaped.getResultNumber()), dim)
            .unite(ofDim(ifOp.elseYield().getOperand(shaped.getResultNumber()), dim));
      })
      .Case<scf::ForOp>([&](auto forOp) { return ofDim(forOp.getRegionIterArg(shaped.getResultNumber()), dim); })
      .Case<scf::WhileOp>(
          [&](auto whileOp) { return ofDim(whileOp.getConditionOp().getArgs()[shaped.getResultNumber()], dim); })
      .Case<arith::SelectOp>(
          [&](auto select) { return ofDim(select.getTrueValue(), dim).unite(ofDim(select.getFalseValue(), dim)); })
      .Case<DestinationStyleOpInterface>([&](auto dps) { return ofDim(dps.getTiedOpOperand(shaped)->get(), dim); })
      .Default(Interval());
}

} // namespace sinter
