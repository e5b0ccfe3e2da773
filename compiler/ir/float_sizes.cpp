// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of IEEE floats round correctly, so that they keep order: an interval's ends are computed as the call
// computes them.
#include "float_sizes.h"

#include "dim_bounds.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr unsigned deepest = 32;

/// Bits of the significand, the hidden one among them.
unsigned floatPrecisionOf(Value floating) {
  return APFloat::semanticsPrecision(cast<FloatType>(floating.getType()).getFloatSemantics());
}

/// A quotient, and in parts of 1 / divisor how far the float is from it at most; where the quotient is whole the float
/// is exactly that.
struct Ratio {
  DimPolynomial dividend, divisor = 1;
  double error = 0;
  bool isWhole() const { return divisor.constant() == 1; }
};

class RatioReader {
public:
  explicit RatioReader(DimAlgebra &algebra) : algebra(algebra) {}

  std::optional<Ratio> read(Value value, unsigned depth) {
    if (APFloat constant(0.0); matchPattern(value, m_ConstantFloat(&constant)))
      return ofConstant(constant);
    Operation *op = value.getDefiningOp();
    if (!op || depth > deepest || !isa<FloatType>(value.getType()))
      return std::nullopt;
    if (isa<arith::SIToFPOp>(op)) // an integer that a float holds
      return exact({algebra.of(op->getOperand(0))}, value);
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, math::AbsFOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::RoundOp, math::RoundEvenOp>(op))
      return std::nullopt;
    std::optional<Ratio> a = read(op->getOperand(0), depth + 1),
                         b = op->getNumOperands() == 2 ? read(op->getOperand(1), depth + 1) : Ratio();
    if (!a || !b)
      return std::nullopt;
    if (isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp, math::RoundEvenOp>(op))
      return rounded(op, *a);
    if (isa<arith::ExtFOp>(op))
      return a;
    if (isa<arith::NegFOp>(op))
      return Ratio{DimPolynomial() - a->dividend, a->divisor, a->error};
    if (isa<arith::DivFOp>(op))
      return divided(*a, *b, value);
    if (isa<arith::MulFOp>(op) && b->isWhole() && !a->isWhole())
      std::swap(a, b);
    if (isa<arith::MulFOp>(op) && a->isWhole() && b->divisor.constant() && b->error == 0 && !b->isWhole())
      return inexact({a->dividend * b->dividend, b->divisor}, value);
    if (isa<arith::AddFOp>(op) && a->isWhole())
      std::swap(a, b);
    if (isa<arith::AddFOp, arith::SubFOp>(op) && b->isWhole()) {
      DimPolynomial added = isa<arith::AddFOp>(op) ? b->dividend : DimPolynomial() - b->dividend;
      Ratio sum{a->dividend + added * a->divisor, a->divisor, a->error};
      return a->isWhole() ? exact(sum, value) : inexact(sum, value);
    }
    if (!a->isWhole() || !b->isWhole())
      return std::nullopt;
    if (isa<arith::TruncFOp>(op))
      return exact(*a, value);
    if (isa<arith::MulFOp>(op))
      return exact({a->dividend * b->dividend}, value);
    if (isa<math::AbsFOp>(op))
      return Ratio{algebra.largestOf({a->dividend, DimPolynomial() - a->dividend})};
    if (isa<arith::MaximumFOp>(op))
      return Ratio{algebra.largestOf({a->dividend, b->dividend})};
    if (isa<arith::MinimumFOp>(op))
      return Ratio{algebra.smallestOf({a->dividend, b->dividend})};
    return std::nullopt;
  }

  /// Towards zero.
  std::optional<DimPolynomial> truncated(const Ratio &x) {
    Interval range = algebra.rangeOf(x.dividend);
    if (x.isWhole())
      return x.dividend;
    if (range.low >= 0)
      return floored(x);
    if (range.high <= 0)
      if (auto floor = floored({DimPolynomial() - x.dividend, x.divisor, x.error}))
        return DimPolynomial() - *floor;
    return std::nullopt;
  }

private:
  static std::optional<Ratio> ofConstant(const APFloat &constant) {
    if (!constant.isFinite())
      return std::nullopt;
    double number = constant.convertToDouble(), divisor = 1;
    constexpr double most = 1 << 20;
    for (; number != std::floor(number) && divisor < most; divisor *= 2)
      number *= 2;
    if (number != std::floor(number) || std::fabs(number) > std::ldexp(1, 53))
      return std::nullopt;
    return Ratio{static_cast<int64_t>(number), static_cast<int64_t>(divisor)};
  }

  double largest(const DimPolynomial &x) {
    Interval range = algebra.rangeOf(x);
    return range.isBounded() ? std::max(std::fabs(double(range.low)), std::fabs(double(range.high))) : INFINITY;
  }

  /// Nothing where the float type does not hold all numbers up to the largest.
  std::optional<Ratio> exact(const Ratio &x, Value value) {
    bool fits = largest(x.dividend) <= std::ldexp(1.0, static_cast<int>(floatPrecisionOf(value)));
    return fits ? std::optional(x) : std::nullopt;
  }
  /// One rounding more, of a number that is not whole, or is and fits.
  std::optional<Ratio> inexact(Ratio x, Value value) {
    x.error += std::ldexp(largest(x.dividend), -static_cast<int>(floatPrecisionOf(value)));
    return x.error < 0.5 ? std::optional(x) : std::nullopt;
  }

  std::optional<Ratio> divided(const Ratio &a, const Ratio &b, Value value) {
    if (!a.isWhole() || !b.isWhole() || algebra.rangeOf(b.dividend).low <= 0)
      return std::nullopt;
    if (auto quotient = a.dividend.quotient(b.dividend))
      return exact({*quotient}, value);
    return inexact({a.dividend, b.dividend}, value);
  }

  /// The float is on the same side of each whole number as the quotient: it is less than 1 / divisor from it.
  std::optional<DimPolynomial> floored(const Ratio &x) { return algebra.floorOf(x.dividend, x.divisor); }

  std::optional<Ratio> rounded(Operation *op, const Ratio &x) {
    if (x.isWhole())
      return x;
    std::optional<DimPolynomial> whole;
    if (isa<math::FloorOp>(op))
      whole = floored(x);
    else if (isa<math::CeilOp>(op))
      whole = algebra.ceilOf(x.dividend, x.divisor);
    else if (isa<math::TruncOp>(op))
      whole = truncated(x);
    return whole ? std::optional(Ratio{*whole}) : std::nullopt;
  }

  DimAlgebra &algebra;
};

/// As the type rounds it.
double roundedTo(double value, Type type) {
  APFloat rounded(value);
  bool losesInfo = false;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.convertToDouble();
}

using FloatRange = std::optional<std::pair<double, double>>;

FloatRange readFloatRange(Value value, DimBounds &bounds, unsigned depth) {
  if (APFloat constant(0.0); matchPattern(value, m_ConstantFloat(&constant))) {
    double number = constant.convertToDouble();
    return std::isfinite(number) ? FloatRange({number, number}) : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (!op || depth > deepest || !isa<FloatType>(value.getType()))
    return std::nullopt;
  auto ends = [&](std::initializer_list<double> corners) -> FloatRange {
    double low = roundedTo(std::min(corners), value.getType()), high = roundedTo(std::max(corners), value.getType());
    return std::isfinite(low) && std::isfinite(high) ? FloatRange({low, high}) : std::nullopt;
  };
  if (isa<arith::SIToFPOp>(op)) {
    Interval integer = bounds.ofValue(op->getOperand(0));
    return integer.isBounded() ? ends({double(integer.low), double(integer.high)}) : std::nullopt;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    FloatRange x = readFloatRange(select.getTrueValue(), bounds, depth + 1),
               y = readFloatRange(select.getFalseValue(), bounds, depth + 1);
    return x && y ? ends({x->first, x->second, y->first, y->second}) : std::nullopt;
  }
  if (!isa<arith::ExtFOp, arith::TruncFOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
           arith::MaximumFOp, arith::MinimumFOp, math::AbsFOp, math::FloorOp, math::CeilOp, math::TruncOp,
           math::RoundOp, math::RoundEvenOp, math::SqrtOp>(op))
    return std::nullopt;
  SmallVector<std::pair<double, double>, 2> x;
  for (Value operand : op->getOperands()) {
    FloatRange one = readFloatRange(operand, bounds, depth + 1);
    if (!one)
      return std::nullopt;
    x.push_back(*one);
  }
  const double low = x[0].first, high = x[0].second;
  auto both = [&](auto compute) {
    return ends(
        {compute(low, x[1].first), compute(low, x[1].second), compute(high, x[1].first), compute(high, x[1].second)});
  };
  auto each = [&](auto compute) { return ends({compute(low), compute(high)}); };
  return TypeSwitch<Operation *, FloatRange>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return ends({low, high}); })
      .Case([&](arith::AddFOp) { return both([](double a, double b) { return a + b; }); })
      .Case([&](arith::SubFOp) { return both([](double a, double b) { return a - b; }); })
      .Case([&](arith::MulFOp) { return both([](double a, double b) { return a * b; }); })
      .Case([&](arith::DivFOp) {
        bool mayBeZero = x[1].first <= 0 && x[1].second >= 0;
        return mayBeZero ? std::nullopt : both([](double a, double b) { return a / b; });
      })
      .Case([&](arith::NegFOp) { return ends({-low, -high}); })
      .Case([&](arith::MaximumFOp) { return both([](double a, double b) { return std::max(a, b); }); })
      .Case([&](arith::MinimumFOp) { return both([](double a, double b) { return std::min(a, b); }); })
      .Case([&](math::AbsFOp) {
        return low <= 0 && high >= 0 ? ends({0.0, -low, high}) : each([](double a) { return std::fabs(a); });
      })
      .Case([&](math::FloorOp) { return each([](double a) { return std::floor(a); }); })
      .Case([&](math::CeilOp) { return each([](double a) { return std::ceil(a); }); })
      .Case([&](math::TruncOp) { return each([](double a) { return std::trunc(a); }); })
      .Case([&](math::RoundOp) { return each([](double a) { return std::round(a); }); })
      .Case([&](math::RoundEvenOp) { return each([](double a) { return std::nearbyint(a); }); })
      .Case([&](math::SqrtOp) { return low < 0 ? std::nullopt : each([](double a) { return std::sqrt(a); }); });
}

} // namespace

std::optional<DimPolynomial> wholeOf(Value floating, DimAlgebra &algebra, bool truncates) {
  RatioReader reader(algebra);
  std::optional<Ratio> ratio = reader.read(floating, 0);
  if (!ratio || (!truncates && !ratio->isWhole()))
    return std::nullopt;
  return reader.truncated(*ratio);
}

FloatRange floatRangeOf(Value floating, DimBounds &bounds) { return readFloatRange(floating, bounds, 0); }

} // namespace sinter
