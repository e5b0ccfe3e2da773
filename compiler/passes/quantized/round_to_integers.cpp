// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding a float and converting it to an integer as one step, where a target has it as one:
// - Cores whose FPU rounds as it converts and whose integers saturate: what quantizes a float to a byte - round, limit,
//   convert, add the zero point - is a call of runtime-lite/round_to_byte.h, 10 instructions an element instead of 45.
// - Targets with vectors of floats: limits that are whole numbers go in front of the rounding, which then is one
//   instruction with the conversion (nearestInt in templates/math/math_round.h).
#include "passes/passes.h"

#include "passes/quantized/support/known_factor.h"

#include "ir/dialect.h"
#include "ir/float_range.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <optional>

using namespace mlir;

namespace sinter {
namespace {

/// min(max(roundeven(x), low), high).
struct LimitedRounding {
  math::RoundEvenOp round;
  arith::MaximumFOp above;
  arith::MinimumFOp inside;
  double low, high;

  static std::optional<LimitedRounding> of(Value value) {
    auto inside = value.getDefiningOp<arith::MinimumFOp>();
    auto above = inside ? inside.getLhs().getDefiningOp<arith::MaximumFOp>() : nullptr;
    auto round = above ? above.getLhs().getDefiningOp<math::RoundEvenOp>() : nullptr;
    APFloat low(0.0f), high(0.0f);
    if (!round || !matchPattern(above.getRhs(), m_ConstantFloat(&low)) ||
        !matchPattern(inside.getRhs(), m_ConstantFloat(&high)))
      return std::nullopt;
    return LimitedRounding{round, above, inside, low.convertToDouble(), high.convertToDouble()};
  }
};

/// Precondition: the limits are those of the byte less its zero point, so that limiting after the sum is the same.
void roundToByte(arith::TruncIOp trunc) {
  Value whole = trunc.getIn();
  APInt zero(32, 0);
  if (auto sum = whole.getDefiningOp<arith::AddIOp>(); sum && matchPattern(sum.getRhs(), m_ConstantInt(&zero)))
    whole = sum.getLhs();
  auto convert = whole.getDefiningOp<arith::FPToSIOp>();
  if (!convert || !trunc.getType().isInteger(8) || !whole.getType().isInteger(32) || !convert.getIn().getType().isF32())
    return;
  std::optional<LimitedRounding> rounding = LimitedRounding::of(convert.getIn());
  if (!rounding)
    return;
  auto [round, above, inside, low, high] = *rounding;
  auto offset = static_cast<double>(zero.getSExtValue());
  bool isSigned = low + offset == -128 && high + offset == 127, isUnsigned = low + offset == 0 && high + offset == 255;
  if ((!isSigned && !isUnsigned) || low > 0 || high < 0)
    return;
  OpBuilder b(trunc);
  Value point = b.create<arith::ConstantOp>(trunc.getLoc(), b.getI32IntegerAttr(static_cast<int32_t>(offset)));
  trunc.setOperand(b.create<ApplyOp>(trunc.getLoc(), b.getI32Type(), isSigned ? "round_to_int8" : "round_to_uint8",
                                     ValueRange{round.getOperand(), point}));
}

/// The largest magnitude among the elements of the constant that an argument of a body stands for.
std::optional<double> largestOf(BlockArgument argument, EvaluationCache &cache) {
  std::optional<ElementBody> body = ElementBody::of(argument.getOwner()->getParentOp());
  Value operand = body && body->block == argument.getOwner() ? body->operand(argument) : Value();
  std::optional<KnownFactor> known =
      operand && isa<FloatType>(argument.getType()) ? knownFactor(argument, *body, cache) : std::nullopt;
  if (!known)
    return std::nullopt;
  double largest = 0;
  for (double value : known->values) {
    if (!std::isfinite(value))
      return std::nullopt;
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

/// Precondition: limited to what converts exactly, and never NaN.
void roundToNearest(arith::FPToSIOp convert, EvaluationCache &cache) {
  auto largest = [&](BlockArgument argument) { return largestOf(argument, cache); };
  if (!convert.getType().isInteger(32) || !convert.getIn().getType().isF32() || !isBounded(convert.getIn(), largest))
    return;
  std::optional<LimitedRounding> rounding = LimitedRounding::of(convert.getIn());
  if (!rounding)
    return;
  auto [round, above, inside, low, high] = *rounding;
  constexpr double farthest = 0x1p22;
  if (low != std::rint(low) || high != std::rint(high) || low < -farthest || high > farthest)
    return;
  OpBuilder b(convert);
  Location loc = convert.getLoc();
  Value x = b.create<arith::MaximumFOp>(loc, round.getOperand(), above.getRhs());
  x = b.create<arith::MinimumFOp>(loc, x, inside.getRhs());
  convert.replaceAllUsesWith(b.create<ApplyOp>(loc, b.getI32Type(), "nearest_int", ValueRange{x}).getResult());
  for (Operation *op : {convert.getOperation(), inside.getOperation(), above.getOperation(), round.getOperation()})
    if (op->use_empty())
      op->erase();
}

} // namespace

LogicalResult roundToIntegers(ModuleOp module, const Target &target, Requant requant) {
  if (requant == Requant::Fixed) // there is no FPU
    return success();
  EvaluationCache cache;
  if (target.byteKernels == ByteKernels::Dual)
    module.walk(roundToByte);
  else if (target.byteKernels == ByteKernels::Quads) // lines round themselves, or there is no FPU
    module.walk([&](arith::FPToSIOp convert) { roundToNearest(convert, cache); });
  return success();
}

} // namespace sinter
