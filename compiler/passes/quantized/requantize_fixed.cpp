// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a quantized net multiplies by a factor in float and rounds, the same in integers, for cores without an FPU
// (targets with `fpu: false`, --requant fixed): what becomes an integer by roundeven and fptosi is followed back to the
// integers it comes from.
//   round(x * f + d), x of 32 bits                     sinter.apply "rescale" (runtime-lite/fixed_point.h), d on x
//   round(sum of x_i * f_i + d), x_i bytes or          one sum in 32 bits and a shift, f_i to 2^-21 of the largest
//     their differences
//   maximum, minimum, clamps around the rounding       on integers: rounding keeps the order
// Averages over whole maps become sums in integers first (pool_sums.h).
// Precondition: all f and d are known, at most one per channel, finite and not negative where x has 32 bits. What has
// another form stays float.
#include "passes/passes.h"

#include "passes/quantized/support/requantize.h"
#include "passes/tiling/support/pool_sums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// What a float expression adds up: integers of the body, each with a factor.
struct Term {
  Value x; ///< signless; extended as isUnsigned says
  bool isUnsigned;
  unsigned bits; ///< that x needs, its sign among them
  KnownFactor factor;
};

/// One body's floats that end in an integer. Functions are called twice: to see whether all can be said in integers
/// (`b` null, any value but null for "yes"), and to say it.
class Fixing {
public:
  Fixing(const ElementBody &body, RescaleBy how, EvaluationCache &cache) : body(body), how(how), cache(cache) {}

  /// The integer that `conversion` (fptosi, fptoui) of the body makes; null where it stays.
  Value integer(Operation *conversion) {
    Value x = conversion->getOperand(0);
    auto type = dyn_cast<IntegerType>(conversion->getResult(0).getType());
    if (!x.getType().isF32() || !type || type.getWidth() > 32 || !whole(x))
      return {};
    OpBuilder builder(conversion);
    b = &builder;
    loc = conversion->getLoc();
    Value result = whole(x);
    if (type.getWidth() < 32) {
      bool isUnsigned = isa<arith::FPToUIOp>(conversion);
      auto bits = static_cast<int>(type.getWidth()) - (isUnsigned ? 0 : 1);
      result = within(result, isUnsigned ? 0 : -std::ldexp(1.0, bits), std::ldexp(1.0, bits) - 1);
      result = builder.create<arith::TruncIOp>(loc, type, result);
    }
    b = nullptr;
    return result;
  }

private:
  /// The i32 that a float is which can only be whole: a rounded one, or an integer less or more another.
  Value whole(Value x) {
    if (std::optional<KnownFactor> known = knownFactor(x, body, cache)) {
      bool fits = known->all([](double v) { return std::abs(v) < 0x1p30 && v == std::floor(v); });
      return fits ? numbers(*known) : Value();
    }
    Operation *op = x.getDefiningOp();
    if (!op || op->getBlock() != body.block)
      return {};
    if (isa<math::RoundEvenOp>(op))
      return rounded(op->getOperand(0), KnownFactor::one(1), KnownFactor::one(0));
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return extended(op->getOperand(0), isa<arith::UIToFPOp>(op));
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MaximumFOp, arith::MinimumFOp>(op))
      return {};
    Value left = whole(op->getOperand(0)), right = whole(op->getOperand(1));
    if (!left || !right || !b)
      return left && right ? x : Value();
    if (isa<arith::AddFOp>(op))
      return b->create<arith::AddIOp>(loc, left, right);
    if (isa<arith::SubFOp>(op))
      return b->create<arith::SubIOp>(loc, left, right);
    return isa<arith::MaximumFOp>(op) ? maximum(left, right) : minimum(left, right);
  }

  /// round(x * k + d) for k > 0.
  Value rounded(Value x, const KnownFactor &k, const KnownFactor &d) {
    Operation *op = x.getDefiningOp();
    if (op && op->getBlock() == body.block && isa<arith::MaximumFOp, arith::MinimumFOp>(op)) {
      for (unsigned i = 0; i < 2; ++i) {
        std::optional<KnownFactor> limit = knownFactor(op->getOperand(i), body, cache);
        if (!limit)
          continue;
        std::optional<KnownFactor> scaled = affine(*limit, k, d);
        Value inner = scaled ? rounded(op->getOperand(1 - i), k, d) : Value();
        if (!inner)
          return {};
        Value edge = numbers(scaled->mapped([](double v) { return std::nearbyint(std::clamp(v, -0x1p30, 0x1p30)); }));
        return !b ? x : isa<arith::MaximumFOp>(op) ? maximum(inner, edge) : minimum(inner, edge);
      }
      return {};
    }
    if (op && op->getBlock() == body.block && isa<arith::MulFOp, arith::DivFOp, arith::AddFOp, arith::SubFOp>(op))
      for (unsigned i = 0; i < 2; ++i) {
        std::optional<KnownFactor> known = knownFactor(op->getOperand(i), body, cache);
        if (!known)
          continue;
        Value rest = op->getOperand(1 - i);
        if (isa<arith::MulFOp>(op) || (isa<arith::DivFOp>(op) && i == 1)) {
          std::optional<KnownFactor> product =
              combined(k, *known, [&](double u, double v) { return isa<arith::MulFOp>(op) ? u * v : u / v; });
          return product && product->all([](double v) { return v > 0; }) ? rounded(rest, *product, d) : Value();
        }
        if (isa<arith::AddFOp>(op) || (isa<arith::SubFOp>(op) && i == 1)) {
          std::optional<KnownFactor> sum =
              affine(isa<arith::AddFOp>(op) ? *known : known->mapped([](double v) { return -v; }), k, d);
          return sum ? rounded(rest, k, *sum) : Value();
        }
      }
    SmallVector<Term> terms;
    KnownFactor offset = d;
    if (!collect(x, k, terms, offset) || terms.empty())
      return {};
    Term *wide = llvm::find_if(terms, [](const Term &term) { return term.bits > 16; });
    if (wide == terms.end())
      return summed(terms, offset, 0);
    if (terms.size() == 1)
      return rescaled(*wide, offset);
    Term sum = *wide;
    terms.erase(wide);
    return mixed(sum, terms, offset);
  }

  /// limit * k + d.
  static std::optional<KnownFactor> affine(const KnownFactor &limit, const KnownFactor &k, const KnownFactor &d) {
    std::optional<KnownFactor> product = combined(limit, k, [](double u, double v) { return u * v; });
    return product ? combined(*product, d, [](double u, double v) { return u + v; }) : std::nullopt;
  }

  /// x * k as terms and what is added to them.
  bool collect(Value x, const KnownFactor &k, SmallVectorImpl<Term> &terms, KnownFactor &offset) {
    if (std::optional<KnownFactor> known = knownFactor(x, body, cache)) {
      std::optional<KnownFactor> sum = affine(*known, k, offset);
      if (sum)
        offset = *sum;
      return sum.has_value();
    }
    Operation *op = x.getDefiningOp();
    if (!op || op->getBlock() != body.block)
      return false;
    auto negated = [&] { return k.mapped([](double v) { return -v; }); };
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
      terms.push_back({op->getOperand(0), isa<arith::UIToFPOp>(op), bitsOf(op->getOperand(0)), k});
      return true;
    }
    if (isa<math::RoundEvenOp, arith::MaximumFOp, arith::MinimumFOp>(op)) { // quantized before, in this body
      std::optional<unsigned> bits = bitsOfWhole(x);
      Value integer = bits ? whole(x) : Value();
      if (integer)
        terms.push_back({integer, false, *bits, k});
      return integer != nullptr;
    }
    if (isa<arith::NegFOp>(op))
      return collect(op->getOperand(0), negated(), terms, offset);
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return collect(op->getOperand(0), k, terms, offset) &&
             collect(op->getOperand(1), isa<arith::SubFOp>(op) ? negated() : k, terms, offset);
    if (!isa<arith::MulFOp, arith::DivFOp, math::FmaOp>(op) ||
        (isa<math::FmaOp>(op) && !collect(op->getOperand(2), k, terms, offset)))
      return false;
    for (unsigned i = 0; i < 2; ++i) {
      if (isa<arith::DivFOp>(op) && i == 0)
        continue;
      if (std::optional<KnownFactor> known = knownFactor(op->getOperand(i), body, cache)) {
        std::optional<KnownFactor> product =
            combined(k, *known, [&](double u, double v) { return isa<arith::DivFOp>(op) ? u / v : u * v; });
        return product && collect(op->getOperand(1 - i), *product, terms, offset);
      }
    }
    return false;
  }

  /// Bits that an integer of the body needs, its sign among them.
  static unsigned bitsOf(Value x) {
    if (auto extension = x.getDefiningOp<arith::ExtSIOp>())
      return bitsOf(extension.getIn());
    if (auto extension = x.getDefiningOp<arith::ExtUIOp>())
      return bitsOf(extension.getIn()) + 1;
    if (Operation *op = x.getDefiningOp(); op && isa<arith::AddIOp, arith::SubIOp>(op)) {
      unsigned most = 0;
      for (Value operand : op->getOperands()) {
        APInt number;
        most = std::max(most,
                        matchPattern(operand, m_ConstantInt(&number)) ? number.getSignificantBits() : bitsOf(operand));
      }
      return std::min(most + 1, x.getType().getIntOrFloatBitWidth());
    }
    return x.getType().getIntOrFloatBitWidth();
  }

  /// The same of a float that is limited on both sides.
  std::optional<unsigned> bitsOfWhole(Value x) {
    double most = 0;
    bool hasLow = false, hasHigh = false;
    for (Operation *op = x.getDefiningOp(); op && isa<arith::MaximumFOp, arith::MinimumFOp>(op);
         op = op->getOperand(0).getDefiningOp()) {
      std::optional<KnownFactor> limit = knownFactor(op->getOperand(1), body, cache);
      if (!limit)
        return std::nullopt;
      for (double v : limit->values)
        most = std::max(most, std::abs(v));
      (isa<arith::MaximumFOp>(op) ? hasLow : hasHigh) = true;
    }
    if (!hasLow || !hasHigh || !(most < 0x1p30))
      return std::nullopt;
    int exponent;
    std::frexp(most, &exponent);
    return static_cast<unsigned>(std::max(exponent, 0) + 1);
  }

  /// round(x * factor + offset) for x of 32 bits. The offset goes to x, in steps of 1 / factor, unless it is whole.
  Value rescaled(const Term &term, const KnownFactor &offset) {
    double largest = 0;
    for (double f : term.factor.values)
      largest = std::max(largest, f);
    bool isFinite = term.factor.all([](double f) { return std::isfinite(f) && f >= 0; });
    if (!isFinite || largest <= 0 || largest >= 0x1p20 || term.isUnsigned)
      return {};
    bool isWhole = offset.all([](double v) { return v == std::floor(v) && std::abs(v) < 0x1p20; });
    std::optional<KnownFactor> steps = KnownFactor::one(0);
    if (!isWhole)
      steps = combined(offset, term.factor, [](double v, double f) { return f > 0 ? std::nearbyint(v / f) : 0; });
    if (!steps || !steps->all([](double v) { return std::abs(v) < 0x1p30; }))
      return {};
    int exponent;
    std::frexp(largest, &exponent); // largest < 2^exponent
    // rescale's factors are less than 1/4: what is missing is a shift of x, which saturates where results are far out.
    int lift = std::max(0, exponent + 2), shift = std::min(31 - (exponent - lift), 62);
    bool isFixed = how == RescaleBy::Fixed;
    Value factors = isFixed ? numbers(term.factor.mapped([&](double f) {
      return std::min(std::nearbyint(std::ldexp(f, shift - lift)), 0x1p31 - 1);
    }))
                            : floats(term.factor);
    if (!b)
      return term.x;
    Value x = extended(term.x, false);
    if (!steps->all([](double v) { return v == 0; }))
      x = b->create<arith::AddIOp>(loc, x, numbers(*steps));
    auto moved = [&](Value result) -> Value {
      if (!isWhole || offset.all([](double v) { return v == 0; }))
        return result;
      return b->create<arith::AddIOp>(loc, result, numbers(offset));
    };
    if (!isFixed) {
      Value product = b->create<arith::MulFOp>(loc, b->create<arith::SIToFPOp>(loc, b->getF32Type(), x), factors);
      product = b->create<math::RoundEvenOp>(loc, product);
      return moved(b->create<arith::FPToSIOp>(loc, b->getI32Type(), product));
    }
    if (lift > 0) {
      double limit = std::ldexp(1.0, 30 - lift);
      x = minimum(maximum(x, constant(-limit)), constant(limit));
      x = b->create<arith::ShLIOp>(loc, x, constant(lift));
    }
    return moved(
        b->create<ApplyOp>(loc, b->getI32Type(), "rescale", ValueRange{x, factors, constant(shift)}).getResult());
  }

  /// round(x * f + sum of x_i * f_i + d) with x of 32 bits: 2^-12 is what both parts are rounded to before. x saturates
  /// at 2^15 results of the largest factor, so factors must not be much smaller than that.
  Value mixed(Term wide, ArrayRef<Term> terms, const KnownFactor &offset) {
    constexpr int bits = 12;
    double largest = *llvm::max_element(wide.factor.values);
    bool isNarrow = wide.factor.all([&](double f) { return f == 0 || f * 128 >= largest; });
    if (how == RescaleBy::Float || !isNarrow)
      return {};
    wide.factor = wide.factor.mapped([](double f) { return std::ldexp(f, bits); });
    Value left = rescaled(wide, KnownFactor::one(0)), right = summed(terms, offset, bits);
    if (!left || !right || !b)
      return left && right ? wide.x : Value();
    Value sum = b->create<arith::AddIOp>(loc, b->create<arith::AddIOp>(loc, left, right), constant(1 << (bits - 1)));
    return b->create<arith::ShRSIOp>(loc, sum, constant(bits));
  }

  /// round((sum of x_i * f_i + d) * 2^keep) in one sum of 32 bits.
  Value summed(ArrayRef<Term> terms, const KnownFactor &offset, int keep) {
    double most = 0, offsets = 0;
    for (const Term &term : terms) {
      double largest = 0;
      for (double f : term.factor.values)
        largest = std::max(largest, std::abs(f));
      if (term.bits > 16 || !std::isfinite(largest))
        return {};
      most += std::ldexp(largest, static_cast<int>(term.bits - (term.isUnsigned ? 0 : 1)));
    }
    for (double v : offset.values)
      offsets = std::max(offsets, std::abs(v));
    most += offsets + 1;
    if (!std::isfinite(most) || most >= 0x1p30)
      return {};
    int exponent;
    std::frexp(most, &exponent);
    int shift = std::min(30 - exponent, 24);
    if (shift < keep + 1)
      return {};
    auto scaled = [&](const KnownFactor &k) {
      return k.mapped([&](double v) { return std::nearbyint(std::ldexp(v, shift)); });
    };
    Value sum = numbers(scaled(offset).mapped([&](double v) { return v + std::ldexp(1.0, shift - keep - 1); }));
    for (const Term &term : terms) {
      Value factor = numbers(scaled(term.factor)), x = extended(term.x, term.isUnsigned);
      if (!sum || !factor || !b) {
        if (!sum || !factor)
          return {};
        continue;
      }
      sum = b->create<arith::AddIOp>(loc, b->create<arith::MulIOp>(loc, x, factor), sum);
    }
    return b ? b->create<arith::ShRSIOp>(loc, sum, constant(shift - keep)) : terms[0].x;
  }

  /// x limited to low .. high, where it is not already.
  Value within(Value x, double low, double high) {
    bool hasLow = false, hasHigh = false;
    APInt limit;
    for (Operation *op = x.getDefiningOp();
         op && isa<arith::MaxSIOp, arith::MinSIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&limit));
         op = op->getOperand(0).getDefiningOp()) {
      auto edge = static_cast<double>(limit.getSExtValue());
      bool isInside = edge >= low && edge <= high;
      (isa<arith::MaxSIOp>(op) ? hasLow : hasHigh) |= isInside;
      if (!isInside)
        break;
    }
    if (!hasLow)
      x = maximum(x, constant(low));
    return hasHigh ? x : minimum(x, constant(high));
  }

  Value constant(double value) {
    return b->create<arith::ConstantOp>(loc, b->getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value maximum(Value x, Value y) { return b->create<arith::MaxSIOp>(loc, x, y); }
  Value minimum(Value x, Value y) { return b->create<arith::MinSIOp>(loc, x, y); }
  Value extended(Value x, bool isUnsigned) {
    if (!b || x.getType().isInteger(32))
      return x;
    if (x.getType().getIntOrFloatBitWidth() > 32)
      return {};
    return isUnsigned ? b->create<arith::ExtUIOp>(loc, b->getI32Type(), x).getResult()
                      : b->create<arith::ExtSIOp>(loc, b->getI32Type(), x).getResult();
  }
  /// Whole numbers as i32: a constant, or one more operand of the op.
  Value numbers(const KnownFactor &known) {
    if (!b)
      return body.block->getTerminator()->getOperand(0);
    if (known.isOne() || known.all([&](double v) { return v == known.values[0]; }))
      return constant(known.values[0]);
    return elements<int32_t>(known);
  }
  Value floats(const KnownFactor &known) {
    if (!b)
      return body.block->getTerminator()->getOperand(0);
    return known.isOne() ? b->create<arith::ConstantOp>(loc, b->getF32FloatAttr(static_cast<float>(known.values[0])))
                         : elements<float>(known);
  }
  template <class T>
  Value elements(const KnownFactor &known) {
    SmallVector<T> values;
    for (double v : known.values)
      values.push_back(static_cast<T>(v));
    Type element = std::is_same_v<T, float> ? Type(b->getF32Type()) : Type(b->getI32Type());
    auto type = RankedTensorType::get(known.shape, element);
    OpBuilder outside(body.op);
    Value tensor = outside.create<arith::ConstantOp>(loc, DenseElementsAttr::get(type, ArrayRef<T>(values)));
    return body.append(tensor, known.map);
  }

  const ElementBody &body;
  RescaleBy how;
  EvaluationCache &cache;
  OpBuilder *b = nullptr;
  Location loc = body.op->getLoc();
};

} // namespace

bool requantize(const ElementBody &body, RescaleBy how, EvaluationCache &cache) {
  SmallVector<Operation *> conversions;
  for (Operation &inner : *body.block)
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(inner))
      conversions.push_back(&inner);
  bool isChanged = false;
  for (Operation *conversion : conversions)
    if (Value integer = Fixing(body, how, cache).integer(conversion)) {
      conversion->getResult(0).replaceAllUsesWith(integer);
      isChanged = true;
    }
  if (isChanged)
    body.dropUnused();
  return isChanged;
}

LogicalResult requantizeFixed(ModuleOp module, Requant requant) {
  if (requant != Requant::Fixed)
    return success();
  module.walk([](func::FuncOp function) {
    for (Block &block : function.getBody())
      splitWholePools(block, PoolSums::Integers);
  });
  EvaluationCache cache;
  module.walk([&](Operation *op) {
    if (std::optional<ElementBody> body = ElementBody::of(op))
      requantize(*body, RescaleBy::Fixed, cache);
  });
  return success();
}

} // namespace sinter
