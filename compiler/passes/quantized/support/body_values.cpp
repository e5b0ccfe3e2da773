// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the floats of a body are, in the terms of quantized_value.h.
#include "body_rewriter.h"

#include <cmath>

using namespace mlir;

namespace sinter {

std::optional<QuantizedValue> BodyRewriter::valueOf(Value value) {
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  std::optional<QuantizedValue> result = computeValue(value);
  if (!result && value.getDefiningOp() && isOfOldBody(value) &&
      !isa<arith::FPToSIOp, arith::FPToUIOp>(value.getDefiningOp())) {
    Value copy = cloned(value);
    written.map(value, copy);
    result = atom(copy, Term::Real);
  }
  values[value] = result;
  return result;
}

std::optional<QuantizedValue> BodyRewriter::computeValue(Value value) {
  if (!value.getType().isF32())
    return std::nullopt;
  if (APFloat number(0.0f); matchPattern(value, m_ConstantFloat(&number))) {
    QuantizedValue result;
    result.constant = number.convertToFloat();
    return result;
  }
  if (!isOfOldBody(value))
    return atom(value, Term::Real);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<QuantizedValue> known = constantOf(argument);
    return known ? known : atom(write(argument), Term::Real);
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return ofInteger(op->getOperand(0), isa<arith::UIToFPOp>(op));
  if (auto round = dyn_cast<math::RoundEvenOp>(op))
    return rounded(round);
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return clamped(op);
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return std::nullopt;
  std::optional<QuantizedValue> x = valueOf(op->getOperand(0)), y = valueOf(op->getOperand(1));
  if (!x || !y)
    return std::nullopt;
  bool divides = isa<arith::DivFOp>(op);
  if (isa<arith::MulFOp>(op) && x->terms.empty())
    std::swap(x, y);
  if (divides || isa<arith::MulFOp>(op))
    return y->terms.empty() && !y->isClamped() && x->isExact() ? scaled(*x, y->constant, divides) : std::nullopt;
  if (isa<arith::SubFOp>(op))
    y = negated(*y);
  return y ? sum(*x, *y) : std::nullopt;
}

std::optional<QuantizedValue> BodyRewriter::ofInteger(Value value, bool isUnsigned) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && isOfOldBody(argument))
    if (std::optional<QuantizedValue> known = constantOf(argument, isUnsigned))
      return known;
  if (value.getDefiningOp<arith::FPToSIOp>() || value.getDefiningOp<arith::FPToUIOp>()) {
    (void)write(value);
    if (auto image = images.find(value); image != images.end())
      return image->second;
  }
  if (Operation *op = value.getDefiningOp(); op && isOfOldBody(value)) {
    if (isa<arith::ExtSIOp, arith::ExtUIOp>(op))
      return ofInteger(op->getOperand(0), isa<arith::ExtUIOp>(op));
    // Accumulators do not overflow, so that a bias may be added later.
    if (isa<arith::AddIOp>(op) && value.getType().getIntOrFloatBitWidth() >= 32) {
      std::optional<QuantizedValue> x = ofInteger(op->getOperand(0), false), y = ofInteger(op->getOperand(1), false);
      if (x && y && (x->terms.empty() || y->terms.empty()))
        return sum(*x, *y);
    }
  }
  return atom(write(value), isUnsigned ? Term::Unsigned : Term::Signed);
}

std::optional<QuantizedValue> BodyRewriter::constantOf(BlockArgument argument, bool isUnsigned) {
  auto found = byArgument.find(argument);
  if (found == byArgument.end() || !inputs[found->second].known)
    return std::nullopt;
  const BodyInput &input = inputs[found->second];
  Numbers numbers;
  numbers.values.clear();
  bool isFloat = isa<FloatType>(argument.getType());
  for (int64_t i = 0; i < input.known->size(); ++i) {
    double number = isFloat ? input.known->numberAt(i) : static_cast<double>(input.known->integerAt(i));
    bool wraps = isUnsigned && number < 0;
    numbers.values.push_back(wraps ? number + std::ldexp(1.0, argument.getType().getIntOrFloatBitWidth()) : number);
  }
  if (!numbers.isOne())
    numbers.like = likeOf(input);
  QuantizedValue result;
  result.constant = numbers;
  return result;
}

unsigned BodyRewriter::likeOf(const BodyInput &input) {
  for (auto [i, other] : llvm::enumerate(inputs))
    if (other.known && other.map == input.map && other.known->shape() == input.known->shape())
      return i;
  return &input - inputs.begin();
}

std::optional<QuantizedValue> BodyRewriter::clamped(Operation *op) {
  std::optional<QuantizedValue> x = valueOf(op->getOperand(0)), bound = valueOf(op->getOperand(1));
  if (x && x->terms.empty())
    std::swap(x, bound);
  if (!x || !bound || !bound->terms.empty() || bound->isClamped() || !bound->constant.isOne())
    return std::nullopt;
  clamp(*x, bound->constant.values[0], isa<arith::MaximumFOp>(op));
  return x;
}

std::optional<QuantizedValue> BodyRewriter::rounded(math::RoundEvenOp op) {
  std::optional<QuantizedValue> x = valueOf(op.getOperand());
  if (!x)
    return std::nullopt;
  std::optional<double> low = x->low, high = x->high;
  x->low = x->high = std::nullopt;
  Value whole;
  if (x->terms.empty()) {
    whole = b.create<math::RoundEvenOp>(loc, writer.value(*x));
  } else {
    Requantize summed = writer.sum(*x);
    whole = b.create<math::RoundEvenOp>(loc, summed.writeSum(b, loc));
    roundings[whole] = summed;
  }
  QuantizedValue result = atom(whole, Term::Whole);
  if (low)
    result.low = std::nearbyint(*low);
  if (high)
    result.high = std::nearbyint(*high);
  return result;
}

} // namespace sinter
