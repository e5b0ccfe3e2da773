// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval analysis of sizes: ranges of polynomials where a size follows from others, and here what each other value
// may be. sinter.dim, sinter.bound and what arith does with bits come in through InferIntRangeInterface.
#include "dim_bounds.h"

#include "dialect.h"
#include "element_sums.h"
#include "float_sizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

Interval DimBounds::ofDifference(OpFoldResult x, OpFoldResult y) {
  return algebra.rangeOf(algebra.of(x) - algebra.of(y));
}

std::optional<int64_t> DimBounds::maxElements(Value shaped) {
  int64_t each = 1;
  std::optional<DimPolynomial> together = DimPolynomial(1);
  for (int64_t dim = 0, rank = cast<ShapedType>(shaped.getType()).getRank(); dim < rank; ++dim) {
    Interval size = ofDim(shaped, dim);
    if (size.high == INT64_MAX || llvm::MulOverflow(each, size.high, each))
      return std::nullopt;
    if (together)
      together = algebra.product(*together, algebra.of(SizeKey(shaped, dim)));
  }
  // Sizes that are not at their largest together: [n / d, d] has at most n elements.
  return together ? std::min(each, std::max<int64_t>(algebra.rangeOf(*together).high, 0)) : each;
}

Interval DimBounds::get(SizeKey key) {
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Interval interval = compute(key);
  known[key] = interval;
  trail.push_back(key);
  return interval;
}

Interval DimBounds::compute(SizeKey key) {
  DimPolynomial size = algebra.of(key);
  if (size != algebra.itself(key))
    return algebra.rangeOf(size);
  auto [value, dim] = key;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return computeArgument(argument, dim);
  if (dim < 0 && isa<ShapedType>(value.getType()))
    return computeElements(cast<OpResult>(value));
  return dim < 0 ? computeInteger(cast<OpResult>(value)) : computeDim(cast<OpResult>(value), dim);
}

Interval DimBounds::ofAtom(SizeKey key) {
  Interval interval = get(key);
  return key.second < 0 ? interval : Interval{std::max<int64_t>(interval.low, 0), std::max<int64_t>(interval.high, 0)};
}

Interval DimBounds::assume(SizeKey key, Interval init, SizeKey yielded) {
  size_t mark = trail.size();
  known[key] = init;
  trail.push_back(key);
  bool holds = init.contains(yielded.second < 0 ? ofValue(yielded.first) : ofDim(yielded.first, yielded.second));
  if (holds)
    return init;
  for (size_t i = mark; i < trail.size(); ++i)
    known.erase(trail[i]);
  trail.resize(mark);
  algebra.forget();
  return {};
}

Interval DimBounds::computeArgument(BlockArgument argument, int64_t dim) {
  Operation *loop = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto forOp = dyn_cast<scf::ForOp>(loop); forOp && number == 0) { // whether or not there is a body yet
    Interval low = ofValue(forOp.getLowerBound()), high = ofValue(forOp.getUpperBound());
    return {low.low, high.high == INT64_MAX ? high.high : std::max(low.low, high.high - 1)};
  }
  if (argument.getOwner()->empty() || !argument.getOwner()->back().hasTrait<OpTrait::IsTerminator>())
    return {}; // a body that is being built
  auto side = [dim = dim](Value value) { return SizeKey(value, dim); };
  auto read = [&](Value value) { return dim < 0 ? ofValue(value) : ofDim(value, dim); };
  if (auto forOp = dyn_cast<scf::ForOp>(loop))
    return assume(side(argument), read(forOp.getInitArgs()[number - 1]), side(forOp.getYieldedValues()[number - 1]));
  if (auto whileOp = dyn_cast<scf::WhileOp>(loop)) {
    if (argument.getOwner() == whileOp.getAfterBody())
      return read(whileOp.getConditionOp().getArgs()[number]);
    return assume(side(argument), read(whileOp.getInits()[number]), side(whileOp.getYieldOp().getOperand(number)));
  }
  if (auto nest = dyn_cast<linalg::GenericOp>(loop); nest && contents == Seen)
    if (OpOperand *operand = nest.getMatchingOpOperand(argument); nest.isDpsInput(operand))
      return ofValue(operand->get());
  return {};
}

Interval DimBounds::computeElements(OpResult tensor) {
  constexpr unsigned deepest = 64;
  Type type = getElementTypeOrSelf(tensor.getType());
  if (contents == Unseen || depth == deepest || !isa<IntegerType, FloatType>(type))
    return {};
  auto ofScalar = [&](Value scalar) {
    return isa<FloatType>(scalar.getType()) ? wholeFloat(scalar, *this) : ofValue(scalar);
  };
  ++depth;
  auto ofAll = [&](ValueRange values) {
    Interval all = ofValue(values.front());
    for (Value value : values.drop_front())
      all = all.unite(ofValue(value));
    return all;
  };
  Interval elements =
      TypeSwitch<Operation *, Interval>(tensor.getOwner())
          .Case<arith::ConstantOp>([&](auto constant) -> Interval {
            if (auto floats = dyn_cast<DenseFPElementsAttr>(constant.getValue()))
              return wholeFloats(floats);
            auto numbers = dyn_cast<DenseIntElementsAttr>(constant.getValue());
            if (!numbers || numbers.empty())
              return {};
            if (numbers.isSplat())
              return Interval::of(numbers.template getSplatValue<APInt>().getSExtValue());
            Interval all{INT64_MAX, INT64_MIN};
            for (const APInt &number : numbers)
              all = {std::min(all.low, number.getSExtValue()), std::max(all.high, number.getSExtValue())};
            return all;
          })
          .Case<linalg::GenericOp>([&](auto nest) -> Interval {
            if (nest.getNumReductionLoops())
              return elementsOfSums(tensor, *this);
            return ofScalar(nest.getBody()->getTerminator()->getOperand(tensor.getResultNumber()));
          })
          .Case<KernelOp>([&](auto) { return elementsOfKernel(tensor, *this); })
          .Case<linalg::FillOp>([&](auto fill) { return ofScalar(fill.getInputs().front()); })
          .Case<linalg::TransposeOp>([&](auto transpose) { return ofValue(transpose.getInput()); })
          .Case<tensor::FromElementsOp>([&](auto list) -> Interval {
            return list.getElements().empty() || isa<FloatType>(type) ? Interval() : ofAll(list.getElements());
          })
          .Case<tensor::CastOp, tensor::ExtractSliceOp>([&](auto op) { return ofValue(op.getSource()); })
          .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto op) { return ofValue(op.getSrc()); })
          .Case<tensor::InsertSliceOp>([&](auto op) { return ofValue(op.getSource()).unite(ofValue(op.getDest())); })
          .Case<tensor::ConcatOp>([&](auto op) { return ofAll(op.getInputs()); })
          .Case<bufferization::MaterializeInDestinationOp>([&](auto op) { return ofValue(op.getSource()); })
          .Case<arith::SelectOp>([&](auto op) { return ofValue(op.getTrueValue()).unite(ofValue(op.getFalseValue())); })
          .Case<scf::IfOp>([&](auto op) {
            return ofValue(op.thenYield().getOperand(tensor.getResultNumber()))
                .unite(ofValue(op.elseYield().getOperand(tensor.getResultNumber())));
          })
          .Default(Interval());
  --depth;
  return elements;
}

Interval DimBounds::computeInteger(OpResult value) {
  Operation *op = value.getOwner();
  if (isa<ShapedDimOpInterface>(op))
    return {0, INT64_MAX};
  if (auto extract = dyn_cast<tensor::ExtractOp>(op); extract && contents == Seen)
    return ofValue(extract.getTensor());
  if (isa<arith::FPToSIOp>(op))
    if (auto range = floatRangeOf(op->getOperand(0), *this)) {
      constexpr double most = 0x1p62;
      if (-most < range->first && range->second < most)
        return {static_cast<int64_t>(range->first), static_cast<int64_t>(range->second)};
    }
  if (isa<arith::FPToSIOp>(op) && contents == Seen)
    return wholeFloat(op->getOperand(0), *this);
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
  if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) { // of which some parts have no bound
    AffineMap map = cast<AffineMapAttr>(op->getAttr("map")).getValue();
    return algebra.rangeOfExtreme(map, op->getOperands(), isa<affine::AffineMaxOp>(op));
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return ofValue(ifOp.thenYield().getOperand(value.getResultNumber()))
        .unite(ofValue(ifOp.elseYield().getOperand(value.getResultNumber())));
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return ofValue(forOp.getRegionIterArg(value.getResultNumber()));
  if (auto whileOp = dyn_cast<scf::WhileOp>(op))
    return ofValue(whileOp.getConditionOp().getArgs()[value.getResultNumber()]);
  return {};
}

Interval DimBounds::computeDim(OpResult shaped, int64_t dim) {
  return TypeSwitch<Operation *, Interval>(shaped.getOwner())
      .Case<scf::IfOp>([&](auto ifOp) {
        return ofDim(ifOp.thenYield().getOperand(shaped.getResultNumber()), dim)
            .unite(ofDim(ifOp.elseYield().getOperand(shaped.getResultNumber()), dim));
      })
      .Case<scf::ForOp>([&](auto forOp) { return ofDim(forOp.getRegionIterArg(shaped.getResultNumber()), dim); })
      .Case<scf::WhileOp>(
          [&](auto whileOp) { return ofDim(whileOp.getConditionOp().getArgs()[shaped.getResultNumber()], dim); })
      .Case<arith::SelectOp>(
          [&](auto select) { return ofDim(select.getTrueValue(), dim).unite(ofDim(select.getFalseValue(), dim)); })
      .Default(Interval());
}

} // namespace sinter
