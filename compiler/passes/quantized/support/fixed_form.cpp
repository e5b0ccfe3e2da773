// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixed_form.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

using Terms = SmallVector<FixedTerm, 2>;

/// x * k + d.
std::optional<KnownFactor> affineFactor(const KnownFactor &x, const KnownFactor &k, const KnownFactor &d) {
  std::optional<KnownFactor> product = combined(x, k, [](double u, double v) { return u * v; });
  return product ? combined(*product, d, [](double u, double v) { return u + v; }) : std::nullopt;
}

double largestOfFactor(const KnownFactor &known) {
  double largest = 0;
  for (double v : known.values)
    largest = std::max(largest, std::abs(v));
  return largest;
}

/// Bits that an integer of the body needs, its sign among them.
unsigned fixedBitsOf(Value x) {
  if (auto extension = x.getDefiningOp<arith::ExtSIOp>())
    return fixedBitsOf(extension.getIn());
  if (auto extension = x.getDefiningOp<arith::ExtUIOp>())
    return fixedBitsOf(extension.getIn()) + 1;
  if (Operation *op = x.getDefiningOp(); op && isa<arith::AddIOp, arith::SubIOp>(op)) {
    unsigned most = 0;
    for (Value operand : op->getOperands()) {
      APInt number;
      most = std::max(most, matchPattern(operand, m_ConstantInt(&number)) ? number.getSignificantBits()
                                                                          : fixedBitsOf(operand));
    }
    return std::min(most + 1, x.getType().getIntOrFloatBitWidth());
  }
  return x.getType().getIntOrFloatBitWidth();
}

/// The terms that a sum of floats adds up, and their offset.
class TermReader {
public:
  TermReader(const ElementBody &body, EvaluationCache &cache) : body(body), cache(cache) {}

  Terms terms;
  KnownFactor offset = KnownFactor::one(0);

  bool read(const Requantize &requantize) {
    if (requantize.addend && !addOffset(requantize.addend, KnownFactor::one(1)))
      return false;
    return llvm::all_of(requantize.terms, [&](const RequantizeTerm &term) { return read(term); });
  }

private:
  bool read(const RequantizeTerm &term) {
    std::optional<KnownFactor> k =
        term.factor ? knownFactor(term.factor, body, cache) : std::optional(KnownFactor::one(1));
    bool isInteger = term.bias && isa<IntegerType>(term.bias.getType());
    if (!k || (term.bias && !isInteger && !addOffset(term.bias, *k)))
      return false;
    if (!term.isInteger())
      return readFloat(term.value, *k);
    terms.push_back({term.value, {}, isInteger ? term.bias : Value(), term.isUnsigned, fixedBitsOf(term.value), *k});
    return true;
  }

  bool addOffset(Value value, const KnownFactor &k) {
    std::optional<KnownFactor> known = knownFactor(value, body, cache);
    std::optional<KnownFactor> sum = known ? affineFactor(*known, k, offset) : std::nullopt;
    if (sum)
      offset = *sum;
    return sum.has_value();
  }

  /// x * k, where onnxruntime's roundings did not let intform merge factors: products fused with sums.
  bool readFloat(Value x, const KnownFactor &k) {
    if (knownFactor(x, body, cache))
      return addOffset(x, k);
    if (std::optional<Requantize> quantized = Requantize::of(x))
      return readQuantized(*quantized, k);
    Operation *op = x.getDefiningOp();
    if (!op || op->getBlock() != body.block)
      return false;
    auto negated = [&] { return k.mapped([](double v) { return -v; }); };
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
      Value integer = op->getOperand(0);
      terms.push_back({integer, {}, {}, isa<arith::UIToFPOp>(op), fixedBitsOf(integer), k});
      return true;
    }
    if (isa<arith::NegFOp>(op))
      return readFloat(op->getOperand(0), negated());
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return readFloat(op->getOperand(0), k) && readFloat(op->getOperand(1), isa<arith::SubFOp>(op) ? negated() : k);
    if (!isa<arith::MulFOp, arith::DivFOp, math::FmaOp>(op) ||
        (isa<math::FmaOp>(op) && !readFloat(op->getOperand(2), k)))
      return false;
    for (unsigned i = isa<arith::DivFOp>(op) ? 1 : 0; i < 2; ++i)
      if (std::optional<KnownFactor> known = knownFactor(op->getOperand(i), body, cache)) {
        std::optional<KnownFactor> product =
            combined(k, *known, [&](double u, double v) { return isa<arith::DivFOp>(op) ? u / v : u * v; });
        return product && readFloat(op->getOperand(1 - i), *product);
      }
    return false;
  }

  bool readQuantized(const Requantize &quantized, const KnownFactor &k) {
    std::optional<FixedForm> form = FixedForm::of(quantized, body, cache);
    if (!form)
      return false;
    int exponent;
    std::frexp(static_cast<double>(std::max(std::abs(quantized.low), std::abs(quantized.high))), &exponent);
    auto bits = static_cast<unsigned>(std::max(exponent, 0) + 1);
    terms.push_back({{}, std::make_shared<FixedForm>(std::move(*form)), {}, false, bits, k});
    return true;
  }

  const ElementBody &body;
  EvaluationCache &cache;
};

/// round((x * factor + offset) * 2^keep) for x of 32 bits. The offset goes to x, in steps of 1 / factor, unless it is
/// whole.
std::optional<FixedRescale> rescaleOf(FixedTerm term, const KnownFactor &offset, int keep) {
  term.factor = term.factor.mapped([&](double f) { return std::ldexp(f, keep); });
  double largest = largestOfFactor(term.factor);
  bool isFinite = term.factor.all([](double f) { return std::isfinite(f) && f >= 0; });
  if (!isFinite || largest <= 0 || largest >= 0x1p20 || term.isUnsigned || term.bits > 32)
    return std::nullopt;
  bool isWhole = offset.all([](double v) { return v == std::floor(v) && std::abs(v) < 0x1p20; });
  std::optional<KnownFactor> steps = KnownFactor::one(0);
  if (!isWhole)
    steps = combined(offset, term.factor, [](double v, double f) { return f > 0 ? std::nearbyint(v / f) : 0; });
  if (!steps || !steps->all([](double v) { return std::abs(v) < 0x1p30; }))
    return std::nullopt;
  int exponent;
  std::frexp(largest, &exponent); // largest < 2^exponent
  // rescale's factors are less than 1/4: what is missing is a shift of x, which saturates where results are far out.
  int lift = std::max(0, exponent + 2), shift = std::min(31 - (exponent - lift), 62);
  KnownFactor multipliers =
      term.factor.mapped([&](double f) { return std::min(std::nearbyint(std::ldexp(f, shift - lift)), 0x1p31 - 1); });
  return FixedRescale{std::move(term), *steps, multipliers, isWhole ? offset : KnownFactor::one(0), lift, shift};
}

/// round((sum of x_i * f_i + d) * 2^keep) in one sum of 32 bits.
std::optional<FixedSum> fixedSumOf(Terms terms, const KnownFactor &offset, int keep) {
  double most = largestOfFactor(offset) + 1;
  for (const FixedTerm &term : terms) {
    if (term.bits > 16)
      return std::nullopt;
    most += std::ldexp(largestOfFactor(term.factor), static_cast<int>(term.bits - (term.isUnsigned ? 0 : 1)));
  }
  if (!std::isfinite(most) || most >= 0x1p30)
    return std::nullopt;
  int exponent;
  std::frexp(most, &exponent);
  int shift = std::min(30 - exponent, 24);
  if (shift < keep + 1)
    return std::nullopt;
  auto scaled = [&](const KnownFactor &k) {
    return k.mapped([&](double v) { return std::nearbyint(std::ldexp(v, shift)); });
  };
  for (FixedTerm &term : terms)
    term.factor = scaled(term.factor);
  double half = std::ldexp(1.0, shift - keep - 1);
  return FixedSum{std::move(terms), scaled(offset).mapped([&](double v) { return v + half; }), shift - keep};
}

} // namespace

std::optional<FixedForm> FixedForm::of(const Requantize &requantize, const ElementBody &body, EvaluationCache &cache) {
  TermReader reader(body, cache);
  if (!reader.read(requantize) || reader.terms.empty())
    return std::nullopt;
  Terms &terms = reader.terms;
  FixedForm form{{}, {}, requantize};
  auto *wide = llvm::find_if(terms, [](const FixedTerm &term) { return term.bits > 16; });
  if (wide == terms.end()) {
    form.sum = fixedSumOf(terms, reader.offset, 0);
    return form.sum ? std::optional(form) : std::nullopt;
  }
  if (terms.size() == 1) {
    form.rescale = rescaleOf(*wide, reader.offset, 0);
    return form.rescale ? std::optional(form) : std::nullopt;
  }
  // x saturates at 2^15 results of the largest factor, so factors must not be much smaller than that.
  double largest = largestOfFactor(wide->factor);
  if (!wide->factor.all([&](double f) { return f == 0 || f * 128 >= largest; }))
    return std::nullopt;
  form.rescale = rescaleOf(*wide, KnownFactor::one(0), bitsOfParts);
  terms.erase(wide);
  form.sum = fixedSumOf(terms, reader.offset, bitsOfParts);
  return form.rescale && form.sum ? std::optional(form) : std::nullopt;
}

} // namespace sinter
