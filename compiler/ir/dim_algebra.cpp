// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From ops to polynomials, and the range of a polynomial.
#include "dim_algebra.h"

#include "dialect.h"
#include "dim_bounds.h"
#include "float_sizes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include <cmath>
#include <numeric>

using namespace mlir;

namespace sinter {

DimPolynomial DimAlgebra::number(DimAtom atom) {
  if (atom.kind == DimAtom::Given) {
    auto [it, isNew] = given.try_emplace(atom.key, atoms.size());
    if (isNew)
      atoms.push_back(std::move(atom));
    return DimPolynomial::of(it->second);
  }
  auto [it, isNew] = composed.try_emplace({atom.kind, atom.parts}, atoms.size());
  if (isNew)
    atoms.push_back(std::move(atom));
  return DimPolynomial::of(it->second);
}

/// The sum of the coefficients' magnitudes, as far as a double tells.
static double dimMagnitude(const DimPolynomial &x) {
  double sum = 0;
  for (const auto &term : x.getTerms())
    sum += std::fabs(double(term.second));
  return sum;
}
static constexpr double mostMagnitude = 0x1p61;

std::optional<DimPolynomial> DimAlgebra::product(const DimPolynomial &x, const DimPolynomial &y) {
  if (x.getTerms().size() * y.getTerms().size() > size_t(mostTerms) * mostTerms ||
      dimMagnitude(x) * dimMagnitude(y) > mostMagnitude)
    return std::nullopt;
  DimPolynomial result = x * y;
  return result.getTerms().size() <= mostTerms ? std::optional(result) : std::nullopt;
}

DimPolynomial DimAlgebra::of(OpFoldResult size) {
  if (auto attribute = dyn_cast<Attribute>(size))
    return cast<IntegerAttr>(attribute).getInt();
  return of(SizeKey(cast<Value>(size), -1));
}

DimPolynomial DimAlgebra::of(SizeKey key) {
  if (APInt constant; key.second < 0 && matchPattern(key.first, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64 ? DimPolynomial(constant.getSExtValue())
                                               : number({DimAtom::Given, key, {}});
  if (auto shaped = dyn_cast<ShapedType>(key.first.getType());
      shaped && key.second >= 0 && shaped.hasRank() && !shaped.isDynamicDim(key.second))
    return shaped.getDimSize(key.second);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  DimPolynomial itself = number({DimAtom::Given, key, {}}), result = itself;
  if (auto value = dyn_cast<OpResult>(key.first); value && depth < deepest) {
    ++depth;
    std::optional<DimPolynomial> made = key.second < 0 ? ofInteger(value) : ofDim(value, key.second);
    --depth;
    // What may wrap around, or is too long to be of use, stands for itself.
    if (made && made->getTerms().size() <= mostTerms && dimMagnitude(*made) < mostMagnitude) {
      Interval range = rangeOf(*made);
      unsigned width = key.second < 0 && value.getType().isInteger() ? value.getType().getIntOrFloatBitWidth() : 64;
      if (range.isBounded() && llvm::isIntN(width, range.low) && llvm::isIntN(width, range.high))
        result = *made;
    }
  }
  if (result != itself)
    for (unsigned variable : result.variables()) // a value that is a floor or a maximum
      if (DimAtom &atom = atoms[variable]; !atom.key.first && result == DimPolynomial::of(variable) && key.second < 0)
        atom.key = key;
  known[key] = result;
  return result;
}

std::optional<DimPolynomial> DimAlgebra::floorOf(DimPolynomial x, DimPolynomial divisor) {
  if (rangeOf(divisor).low <= 0)
    return std::nullopt;
  if (std::optional<DimPolynomial> exact = x.quotient(divisor))
    return exact;
  // Factors of both go: products of variables, then numbers.
  for (unsigned variable : divisor.variables())
    while (auto bottom = divisor.quotient(DimPolynomial::of(variable)))
      if (auto top = x.quotient(DimPolynomial::of(variable))) {
        x = *top;
        divisor = *bottom;
      } else {
        break;
      }
  auto commonFactor = [](const DimPolynomial &of, int64_t with) {
    for (const auto &term : of.getTerms())
      with = std::gcd(with, term.second);
    return with;
  };
  if (int64_t common = commonFactor(divisor, 0); common > 1) {
    // (g x + r) / (g d) is (x + r / g) / d, for the number r.
    auto it = x.getTerms().find({});
    int64_t constant = it != x.getTerms().end() ? it->second : 0;
    DimPolynomial rest = x - DimPolynomial(constant);
    common = commonFactor(rest, common);
    if (common > 1) {
      x = *rest.quotient(common) + DimPolynomial(llvm::divideFloorSigned(constant, common));
      divisor = *divisor.quotient(common);
    }
  }
  std::optional<int64_t> number = divisor.constant();
  if (number == 1)
    return x;
  DimPolynomial whole;
  if (number) { // what is a multiple for certain stands before the floor
    for (const auto &[product, factor] : x.getTerms())
      whole = whole + DimPolynomial::of(product, llvm::divideFloorSigned(factor, *number));
    x = x - whole * divisor;
    if (x.constant()) // between 0 and the divisor
      return whole;
    // The floor of a floor by two numbers is one by their product.
    if (x.getTerms().size() <= 2 && *number < (int64_t(1) << 31)) {
      int64_t added = x.getTerms().begin()->first.empty() ? x.getTerms().begin()->second : 0;
      auto last = *x.getTerms().rbegin();
      if (last.second == 1 && last.first.size() == 1 && atoms[last.first.front()].kind == DimAtom::Floor &&
          x.getTerms().size() == (added ? 2u : 1u))
        if (auto inner = atoms[last.first.front()].parts[1].constant(); inner && *inner < (int64_t(1) << 31)) {
          auto outer = floorOf(atoms[last.first.front()].parts[0] + DimPolynomial(added * *inner),
                               DimPolynomial(*inner * *number));
          return outer ? std::optional(whole + *outer) : std::nullopt;
        }
    }
  }
  Interval range = rangeOf(x);
  if (range.low >= 0 && rangeOf(divisor - x).low > 0)
    return whole;
  if (!range.isBounded() || !rangeOf(divisor).isBounded())
    return std::nullopt;
  return whole + this->number({DimAtom::Floor, {}, {x, divisor}});
}

std::optional<DimPolynomial> DimAlgebra::ceilOf(const DimPolynomial &x, const DimPolynomial &divisor) {
  return floorOf(x + divisor - 1, divisor);
}

DimPolynomial DimAlgebra::largestOf(ArrayRef<DimPolynomial> of) {
  std::vector<DimPolynomial> left;
  for (const DimPolynomial &one : of) {
    auto isAtLeast = [&](const DimPolynomial &a, const DimPolynomial &b) { return rangeOf(a - b).low >= 0; };
    if (llvm::any_of(left, [&](const DimPolynomial &other) { return isAtLeast(other, one); }))
      continue;
    llvm::erase_if(left, [&](const DimPolynomial &other) { return isAtLeast(one, other); });
    left.push_back(one);
  }
  if (left.size() == 1)
    return left.front();
  llvm::sort(left);
  return number({DimAtom::Max, {}, std::move(left)});
}

DimPolynomial DimAlgebra::smallestOf(ArrayRef<DimPolynomial> of) {
  SmallVector<DimPolynomial> negated;
  for (const DimPolynomial &one : of)
    negated.push_back(DimPolynomial() - one);
  return DimPolynomial() - largestOf(negated);
}

std::optional<DimPolynomial> DimAlgebra::ofAffine(AffineExpr expr, ArrayRef<DimPolynomial> dims,
                                                  ArrayRef<DimPolynomial> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return DimPolynomial(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto a = ofAffine(binary.getLHS(), dims, symbols), b = ofAffine(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *a + *b;
  case AffineExprKind::Mul:
    return product(*a, *b);
  case AffineExprKind::FloorDiv:
    return floorOf(*a, *b);
  case AffineExprKind::CeilDiv:
    return ceilOf(*a, *b);
  case AffineExprKind::Mod: {
    auto floor = floorOf(*a, *b);
    return floor ? std::optional(*a - *floor * *b) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::optional<DimPolynomial> DimAlgebra::ofAffine(AffineMap map, ValueRange operands, bool isMax) {
  SmallVector<DimPolynomial> values, results;
  for (Value operand : operands)
    values.push_back(of(operand));
  for (AffineExpr expr : map.getResults()) {
    auto result =
        ofAffine(expr, ArrayRef(values).take_front(map.getNumDims()), ArrayRef(values).drop_front(map.getNumDims()));
    if (!result)
      return std::nullopt;
    results.push_back(*result);
  }
  return isMax ? largestOf(results) : smallestOf(results);
}

Interval DimAlgebra::rangeOfExtreme(AffineMap map, ValueRange operands, bool isMax) {
  std::optional<DimPolynomial> extreme = ofAffine(map, operands, isMax);
  return extreme ? rangeOf(*extreme) : Interval();
}

std::optional<DimPolynomial> DimAlgebra::ofInteger(OpResult value) {
  Operation *op = value.getOwner();
  Type type = value.getType();
  if (!type.isIntOrIndex() || type.isInteger(1))
    return std::nullopt;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofAffine(apply.getAffineMap(), apply.getMapOperands(), true);
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return ofAffine(min.getAffineMap(), min.getMapOperands(), false);
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return ofAffine(max.getAffineMap(), max.getMapOperands(), true);
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
    return index ? std::optional(of(SizeKey(dim.getShapedValue(), *index))) : std::nullopt;
  }
  if (isa<arith::FPToSIOp>(op))
    return wholeOf(op->getOperand(0), *this, /*truncates=*/true);
  if (isa<math::AbsIOp>(op)) {
    DimPolynomial x = of(op->getOperand(0));
    return largestOf({x, DimPolynomial() - x});
  }
  if (auto bound = dyn_cast<BoundOp>(op)) {
    DimPolynomial x = of(bound.getValue());
    Interval most{static_cast<int64_t>(bound.getMin()), static_cast<int64_t>(bound.getMax())};
    return most.contains(rangeOf(x)) ? std::optional(x) : std::nullopt;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    DimPolynomial x = of(select.getTrueValue()), y = of(select.getFalseValue());
    if (x == y)
      return x;
    Interval condition = bounds.ofValue(select.getCondition());
    if (condition.low == condition.high)
      return condition.low == 0 ? y : x;
    // Where what is compared is equal, x and y are: a remainder that is 0, or else itself.
    if (auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
        compare && compare.getPredicate() == arith::CmpIPredicate::eq)
      if ((x - y).quotient(of(compare.getLhs()) - of(compare.getRhs())))
        return y;
    return std::nullopt;
  }
  if (op->getNumOperands() == 0 || op->getNumOperands() > 2 || !isa<arith::ArithDialect>(op->getDialect()) ||
      !llvm::all_of(op->getOperandTypes(), [](Type each) { return each.isIntOrIndex() && !each.isInteger(1); }))
    return std::nullopt;
  DimPolynomial a = of(op->getOperand(0)), b = op->getNumOperands() == 2 ? of(op->getOperand(1)) : DimPolynomial();
  auto isNonNegative = [&](const DimPolynomial &x) { return rangeOf(x).low >= 0; };
  if (isa<arith::TruncIOp>(op))
    return a;
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    // That data of 32 bits end somewhere is no bound of a size.
    Interval range = rangeOf(a);
    bool isData = range.low <= INT32_MIN || range.high >= INT32_MAX;
    bool keepsSign = isa<arith::IndexCastOp, arith::ExtSIOp>(op) || range.low >= 0;
    return !isData && keepsSign ? std::optional(a) : std::nullopt;
  }
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return product(a, b);
  if (isa<arith::MaxSIOp>(op))
    return largestOf({a, b});
  if (isa<arith::MinSIOp>(op))
    return smallestOf({a, b});
  if (isa<arith::FloorDivSIOp>(op))
    return floorOf(a, b);
  if (isa<arith::CeilDivSIOp>(op))
    return ceilOf(a, b);
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  if (isUnsigned && !(isNonNegative(a) && isNonNegative(b)))
    return std::nullopt;
  if (isa<arith::CeilDivUIOp>(op))
    return ceilOf(a, b);
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return std::nullopt;
  // A quotient that is cut off is the floor where the dividend is not negative, and where nothing is cut off.
  std::optional<DimPolynomial> quotient = a.quotient(b);
  if (!quotient && isNonNegative(a))
    quotient = floorOf(a, b);
  if (!quotient && rangeOf(a).high <= 0)
    if ((quotient = floorOf(DimPolynomial() - a, b)))
      quotient = DimPolynomial() - *quotient;
  if (!quotient || isa<arith::DivSIOp, arith::DivUIOp>(op))
    return quotient;
  return a - *quotient * b;
}

std::optional<DimPolynomial> DimAlgebra::ofDim(OpResult shaped, int64_t dim) {
  auto type = cast<ShapedType>(shaped.getType());
  using Result = std::optional<DimPolynomial>;
  auto dynamicSize = [&](ValueRange sizes) { return of(sizes[type.getDynamicDimIndex(dim)]); };
  return TypeSwitch<Operation *, Result>(shaped.getOwner())
      .Case<tensor::EmptyOp>([&](auto empty) { return dynamicSize(empty.getDynamicSizes()); })
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) { return dynamicSize(alloc.getDynamicSizes()); })
      .Case<ArenaOp, InputOp, OutputOp>([&](auto buffer) { return dynamicSize(buffer.getSizes()); })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>([&](auto slice) -> Result {
        SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        for (int64_t i = 0, kept = 0; i < static_cast<int64_t>(sizes.size()); ++i)
          if (!dropped.test(i) && kept++ == dim)
            return of(sizes[i]);
        return std::nullopt;
      })
      .Case<memref::CollapseShapeOp, tensor::CollapseShapeOp>([&](auto reshape) -> Result {
        Result all = DimPolynomial(1);
        SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
        for (int64_t each : groups[dim])
          if (!(all = product(*all, of(SizeKey(reshape.getSrc(), each)))))
            return std::nullopt;
        return all;
      })
      .Case<memref::ExpandShapeOp, tensor::ExpandShapeOp>(
          [&](auto reshape) { return dynamicSize(reshape.getOutputShape()); })
      .Case<tensor::CastOp, memref::CastOp>([&](auto cast) { return of(SizeKey(cast.getSource(), dim)); })
      .Case<memref::ReinterpretCastOp>([&](auto cast) { return of(cast.getMixedSizes()[dim]); })
      .Case<memref::TransposeOp>([&](auto transpose) {
        return of(SizeKey(transpose.getIn(), transpose.getPermutation().getDimPosition(static_cast<unsigned>(dim))));
      })
      .Case<bufferization::ToTensorOp>([&](auto cast) { return of(SizeKey(cast.getMemref(), dim)); })
      .Case<tensor::InsertSliceOp, tensor::InsertOp>([&](auto insert) { return of(SizeKey(insert.getDest(), dim)); })
      .Case<tensor::ConcatOp>([&](auto concat) {
        if (static_cast<uint64_t>(dim) != concat.getDim())
          return of(SizeKey(concat.getInputs().front(), dim));
        DimPolynomial sum;
        for (Value input : concat.getInputs())
          sum = sum + of(SizeKey(input, dim));
        return sum;
      })
      .Case<DestinationStyleOpInterface>(
          [&](auto dps) { return of(SizeKey(dps.getTiedOpOperand(shaped)->get(), dim)); })
      .Default(Result());
}

Interval DimAlgebra::rangeOfAtom(unsigned number) {
  if (auto it = ranges.find(number); it != ranges.end())
    return it->second;
  DimAtom atom = atoms[number]; // not a reference: others are made on the way
  Interval range;
  if (atom.kind == DimAtom::Given)
    return bounds.ofAtom(atom.key);
  if (atom.kind == DimAtom::Max) {
    range = {INT64_MIN, INT64_MIN};
    DimPolynomial sum;
    for (const DimPolynomial &part : atom.parts) {
      Interval one = rangeOf(part);
      range = {std::max(range.low, one.low), std::max(range.high, one.high)};
      sum = sum + part;
    }
    // A maximum is at least the mean: that of x and -x at least 0.
    auto count = static_cast<int64_t>(atom.parts.size());
    if (Interval all = rangeOf(sum); all.isBounded())
      range.low = std::max(range.low, llvm::divideCeilSigned(all.low, count));
  } else {
    Interval a = rangeOf(atom.parts[0]), b = rangeOf(atom.parts[1]);
    auto floor = [](int64_t x, int64_t y) { return llvm::divideFloorSigned(x, y); };
    range = {std::min(floor(a.low, b.low), floor(a.low, b.high)),
             std::max(floor(a.high, b.low), floor(a.high, b.high))};
  }
  ranges[number] = range;
  return range;
}

int64_t DimAlgebra::plainEnd(const DimPolynomial &x, bool isHigh) {
  Interval sum = Interval::of(0);
  for (const auto &[product, factor] : x.getTerms()) {
    Interval term = Interval::of(factor);
    for (auto it = product.begin(); it != product.end();) {
      auto after = std::upper_bound(it, product.end(), *it);
      Interval value = rangeOfAtom(*it), power = Interval::of(1);
      for (auto i = it; i != after; ++i)
        power = power * value;
      if ((after - it) % 2 == 0) // an even power
        power.low = std::max<int64_t>(power.low, 0);
      term = term * power;
      it = after;
    }
    sum = sum + term;
  }
  return isHigh ? sum.high : sum.low;
}

/// Where x grows or falls with an atom throughout, the atom takes its end.
int64_t DimAlgebra::endByAtoms(DimPolynomial x, bool isHigh) {
  if (x.getTerms().size() <= 1)
    return plainEnd(x, isHigh);
  int64_t best = plainEnd(x, isHigh);
  for (bool changed = true; changed && !x.constant();) {
    changed = false;
    for (unsigned variable : x.variables()) {
      DimPolynomial slope;
      for (const auto &[product, factor] : x.getTerms()) {
        int64_t power = llvm::count(product, variable);
        if (!power)
          continue;
        std::vector<unsigned> rest(product);
        rest.erase(llvm::find(rest, variable));
        slope = slope + DimPolynomial::of(rest, Interval::product(factor, power));
      }
      bool grows = plainEnd(slope, false) >= 0, falls = plainEnd(slope, true) <= 0;
      if (!grows && !falls)
        continue;
      Interval values = rangeOfAtom(variable);
      int64_t taken = grows == isHigh ? values.high : values.low;
      if (taken == INT64_MIN || taken == INT64_MAX)
        continue;
      // What a sum of products becomes may pass 64 bits where the interval does not.
      constexpr int64_t most = int64_t(1) << 62;
      bool fits = llvm::all_of(x.getTerms(), [&](const auto &term) {
        int64_t size = term.second;
        for (unsigned each : term.first)
          if (each == variable)
            size = Interval::product(size, taken);
        return -most < size && size < most;
      });
      if (!fits)
        continue;
      x = x.substituted(
          [&](unsigned each) { return each == variable ? DimPolynomial(taken) : DimPolynomial::of(each); });
      changed = true;
      break;
    }
  }
  int64_t last = plainEnd(x, isHigh);
  return isHigh ? std::min(best, last) : std::max(best, last);
}

int64_t DimAlgebra::end(const DimPolynomial &x, bool isHigh, unsigned depthLeft) {
  int64_t best = endByAtoms(x, isHigh);
  if (x.getTerms().size() <= 1 && (x.getTerms().empty() || x.getTerms().begin()->first.size() <= 1))
    return best;
  auto take = [&](const DimPolynomial &instead) {
    int64_t other = end(instead, isHigh, depthLeft - 1);
    best = isHigh ? std::min(best, other) : std::max(best, other);
  };
  // d floor(n / d) lies between n - d + 1 and n.
  for (unsigned variable : depthLeft ? x.variables() : std::set<unsigned>()) {
    DimAtom atom = atoms[variable];
    if (atom.kind == DimAtom::Given)
      continue;
    std::optional<DimPolynomial> factor = x.coefficient(variable);
    if (!factor)
      continue;
    DimPolynomial rest = x - *factor * DimPolynomial::of(variable);
    if (atom.kind == DimAtom::Floor) {
      std::optional<DimPolynomial> times = factor->quotient(atom.parts[1]);
      if (!times)
        continue;
      bool isPositive = plainEnd(*times, false) >= 0, isNegative = plainEnd(*times, true) <= 0;
      if (isPositive || isNegative)
        take(rest + *times * (isPositive == isHigh ? atom.parts[0] : atom.parts[0] - atom.parts[1] + 1));
    } else if (plainEnd(*factor, false) >= 0 || plainEnd(*factor, true) <= 0) {
      // The whole is the largest, or with a negative factor the smallest, of what each part makes.
      bool isLargest = plainEnd(*factor, false) >= 0;
      std::optional<int64_t> extreme;
      for (const DimPolynomial &part : atom.parts) {
        int64_t one = end(rest + *factor * part, isHigh, depthLeft - 1);
        extreme = !extreme ? one : isLargest ? std::max(*extreme, one) : std::min(*extreme, one);
      }
      best = isHigh ? std::min(best, *extreme) : std::max(best, *extreme);
    }
  }
  return best;
}

} // namespace sinter
