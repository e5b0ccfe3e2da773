// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantized_contractions.h"

using namespace mlir;

namespace sinter {

namespace {
/// The right operand without what the op cannot say of it: a zero point per channel, or one known at run time only, is
/// taken off at once.
struct Right {
  Tensor x;
  int64_t zero = 0;
  int64_t most; ///< of |x - zero|
};

/// The number that a zero point is, if it is known and the same everywhere; 0 where there is none.
std::optional<int64_t> numberOf(Op &op, Tensor zero) {
  std::optional<HostTensor> host = zero ? contentsOf(zero, op.conversion.evaluations) : std::nullopt;
  if (!host || host->size() == 0)
    return zero ? std::nullopt : std::optional<int64_t>(0);
  for (int64_t i = 1; i < host->size(); ++i)
    if (host->integerAt(i) != host->integerAt(0))
      return std::nullopt;
  return host->integerAt(0);
}

int64_t mostOf(Tensor x, int64_t zero) {
  unsigned bits = bitWidth(x.element);
  bool isUnsigned = isUnsignedInteger(x.element);
  int64_t low = isUnsigned ? 0 : -(int64_t(1) << (bits - 1)), high = (int64_t(1) << (isUnsigned ? bits : bits - 1)) - 1;
  return std::max(zero - low, high - zero);
}

/// Of |x - zero| for any zero point.
int64_t mostWithoutZero(Tensor x) { return (int64_t(1) << bitWidth(x.element)) - 1; }

/// x - zero, one bit wider.
Tensor withoutZeroPoint(Op &op, Tensor x, Tensor zero) {
  ElementType wide = bitWidth(x.element) <= 8 ? ElementType::Int16 : ElementType::Int32;
  return op.elementwise({x, zero}, wide, [&](const Scalars &s, ValueRange v) {
    return Scalars{s.b, s.loc, wide}.sub(s.castTo(wide, v[0]), s.castTo(wide, v[1]));
  });
}

Right rightOf(Op &op, Tensor x, Tensor zero, Tensor zeroAlongX) {
  if (std::optional<int64_t> number = numberOf(op, zero))
    return {x, *number, mostOf(x, *number)};
  return {withoutZeroPoint(op, x, zeroAlongX), 0, mostWithoutZero(x)};
}

/// Sums of `depth` products (a negative number: unknown): 32 bits, where they suffice.
ElementType productAccumulatorOf(int64_t left, int64_t right, int64_t depth) {
  bool is8Bits = left < 256 && right < 256;
  bool fits = depth >= 0 && left * right <= std::numeric_limits<int32_t>::max() / std::max<int64_t>(depth, 1);
  return is8Bits || fits ? ElementType::Int32 : ElementType::Int64;
}

/// Of x - zero.
Tensor sumOver(Op &op, Tensor x, int64_t zero, ArrayRef<int64_t> axes, bool keep, ElementType accumulator) {
  return op.reduce(
      x, axes, keep, accumulator, [](const Scalars &s) { return s.constant(0); },
      [&](const Scalars &s, Value acc, Value v) { return s.add(acc, s.sub(v, s.integer(zero))); });
}

/// sums - zero * others, broadcast.
Tensor lessContraction(Op &op, Tensor sums, Tensor zero, Tensor others) {
  return op.elementwise({sums, zero, others}, sums.element, [&](const Scalars &s, ValueRange v) {
    return s.sub(v[0], s.mul(Scalars{s.b, s.loc, zero.element}.castTo(sums.element, v[1]), v[2]));
  });
}
} // namespace

FailureOr<Tensor> quantizedMatmul(Op &op, Tensor a, Tensor aZero, Tensor b, Tensor bZero) {
  if (!a.rank() || !b.rank())
    return op.fail(Code::ShapeMismatch, "a matrix product of a scalar");
  bool row = a.rank() == 1, column = b.rank() == 1;
  a = row ? op.unsqueeze(a, 0) : a;
  b = column ? op.unsqueeze(b, 1) : b;
  if (aZero && aZero.rank() == 1)
    aZero = alongAxis(op, aZero, a.rank() - 2, a.rank());
  std::optional<int64_t> leftZero = numberOf(op, aZero), depth = constantOf(op.size(a, a.rank() - 1));
  // One that only a call brings is taken off the sums, too: sum (a - y) (b - z) = sum (a - y) b - z sum (a - y).
  bool isLate = bZero && depth && !contentsOf(bZero, op.conversion.evaluations);
  Right right = isLate ? Right{b, 0, mostWithoutZero(b)} : rightOf(op, b, bZero, bZero);
  ElementType sums = productAccumulatorOf(mostOf(a, leftZero.value_or(0)), right.most, depth.value_or(-1));
  FailureOr<Tensor> contraction = matmul(op, a, right.x, false, false, sums, {leftZero.value_or(0), right.zero});
  if (failed(contraction))
    return failure();
  Tensor y = *contraction;
  if (!leftZero)
    y = lessContraction(op, y, aZero, sumOver(op, right.x, right.zero, right.x.rank() - 2, true, sums));
  if (isLate) {
    Tensor ofRows = sumOver(op, a, leftZero.value_or(0), a.rank() - 1, true, sums);
    if (!leftZero)
      ofRows = lessContraction(op, ofRows, aZero, op.scalar(sums, double(*depth)));
    y = lessContraction(op, y, bZero, ofRows);
  }
  SmallVector<int64_t> vanishing;
  if (row)
    vanishing.push_back(y.rank() - 2);
  if (column)
    vanishing.push_back(y.rank() - 1);
  return vanishing.empty() ? y : op.squeeze(y, vanishing);
}

FailureOr<Tensor> quantizedConvolve(Op &op, Tensor x, Tensor xZero, Tensor w, Tensor wZero, const Window &given,
                                    int64_t group) {
  xZero = xZero ? op.reshape(xZero, {}) : xZero;
  Right filter = rightOf(op, w, wZero, wZero ? alongAxis(op, wZero, 0, w.rank()) : wZero);
  std::optional<int64_t> inputZero = numberOf(op, xZero);
  int64_t depth = 1;
  for (int64_t d = 1; d < w.rank(); ++d)
    depth *= constantOf(op.size(w, d)).value_or(0);
  ElementType sums = productAccumulatorOf(mostOf(x, inputZero.value_or(0)), filter.most, depth ? depth : -1);
  Window window = given;
  if (!inputZero && window.hasPads()) { // what lies outside is the zero point
    Value outside = op.b.create<tensor::ExtractOp>(op.loc, xZero.value, ValueRange());
    x = padSpatial(op, x, window.low, window.high, outside);
    window.low.assign(window.rank(), sizeOf(op.b, 0));
    window.high = window.low;
  }
  Tensor y = convolve(op, x, filter.x, window, group, sums, {inputZero.value_or(0), filter.zero});
  if (inputZero)
    return y;
  Tensor ofFilters = sumOver(op, filter.x, filter.zero, llvm::to_vector(llvm::seq<int64_t>(1, w.rank())), false, sums);
  return lessContraction(op, y, xZero, alongAxis(op, ofFilters, 1, y.rank()));
}

std::optional<IntegerOperands> integerOperands(const Op &op, unsigned left, unsigned right, int64_t channels) {
  const Dequantized *a = op.dequantized(left), *b = op.dequantized(right);
  auto isNarrow = [](const Dequantized *q) { return q && bitWidth(q->x.element) <= 16; };
  if (!isNarrow(a) || !isNarrow(b) || a->axis || (b->axis && *b->axis != channels))
    return std::nullopt;
  auto asNumber = [&](Tensor x) { return x ? op.reshape(x, {}) : x; };
  IntegerOperands operands{*a, *b, {}};
  operands.left.scale = asNumber(a->scale);
  operands.left.zero = asNumber(a->zero);
  if (!b->axis) {
    operands.right.scale = asNumber(b->scale);
    operands.right.zero = asNumber(b->zero);
  }
  operands.scale = op.elementwise(
      {operands.left.scale, operands.right.scale}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
        Scalars f{s.b, s.loc, ElementType::Float};
        Scalars other{s.b, s.loc, b->scale.element};
        return f.mul(s.castTo(ElementType::Float, v[0]), other.castTo(ElementType::Float, v[1]));
      });
  return operands;
}

Tensor rescaled(const Op &op, Tensor sums, const IntegerOperands &operands, int64_t axis, ElementType to) {
  Tensor scale = operands.scale.rank() ? alongAxis(op, operands.scale, axis, sums.rank()) : operands.scale;
  return op.elementwise({sums, scale}, to, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    return f.castTo(to, f.mul(s.castTo(ElementType::Float, v[0]), v[1]));
  });
}

Tensor scaledSums(const Op &op, Tensor sums, Tensor aScale, Tensor bScale, Tensor bias, ElementType to) {
  SmallVector<Tensor> operands{sums, aScale, bScale};
  if (bias)
    operands.push_back(bias);
  return op.elementwise(operands, to, [&](const Scalars &s, ValueRange v) {
    Scalars f{s.b, s.loc, ElementType::Float};
    auto real = [&](Tensor from, Value value) {
      return Scalars{s.b, s.loc, from.element}.castTo(ElementType::Float, value);
    };
    Value y = f.mul(s.castTo(ElementType::Float, v[0]), f.mul(real(aScale, v[1]), real(bScale, v[2])));
    return f.castTo(to, bias ? f.add(y, real(bias, v[3])) : y);
  });
}

} // namespace sinter
