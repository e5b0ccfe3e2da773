// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.requantize where a target rounds a float and converts it to an integer in one step:
// - Cores whose FPU rounds as it converts and whose integers saturate: to a byte it is a call of
//   runtime-lite/round_to_byte.h, 10 instructions an element instead of 45.
// - Targets with vectors of floats: limits that are whole numbers go in front of the rounding, which then is one
//   instruction with the conversion (nearestInt in templates/math/math_round.h).
#include "passes/passes.h"

#include "passes/quantized/support/known_factor.h"

#include "ir/float_range.h"
#include "ir/requantize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>
#include <optional>

using namespace mlir;

namespace sinter {
namespace {

/// Precondition: the limits are those of the byte less its zero point, so that limiting after the sum is the same.
bool roundToByte(RequantizeOp op, const Requantize &known) {
  int64_t low = known.low + known.zero, high = known.high + known.zero;
  bool isSigned = low == -128 && high == 127, isUnsigned = low == 0 && high == 255;
  if (!op.getType().isInteger(8) || (!isSigned && !isUnsigned) || known.low > 0 || known.high < 0)
    return false;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value zero = b.create<arith::ConstantOp>(loc, b.getI32IntegerAttr(static_cast<int32_t>(known.zero)));
  Value whole = b.create<ApplyOp>(loc, b.getI32Type(), isSigned ? "round_to_int8" : "round_to_uint8",
                                  ValueRange{known.writeSum(b, loc), zero});
  op.replaceAllUsesWith(b.create<arith::TruncIOp>(loc, op.getType(), whole).getResult());
  return true;
}

/// The largest magnitude among the elements of the constant that an argument of a body stands for.
std::optional<double> largestOfArgument(BlockArgument argument, EvaluationCache &cache) {
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
bool roundToNearest(RequantizeOp op, const Requantize &known, EvaluationCache &cache) {
  constexpr int64_t farthest = 1 << 22;
  if (!isa<IntegerType>(op.getType()) || known.low < -farthest || known.high > farthest)
    return false;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value x = known.writeSum(b, loc);
  if (!isNeverNan(x, [&](BlockArgument argument) { return largestOfArgument(argument, cache); }))
    return false;
  auto limit = [&](int64_t number) {
    return b.create<arith::ConstantOp>(loc, b.getF32FloatAttr(static_cast<float>(number)));
  };
  x = b.create<arith::MaximumFOp>(loc, x, limit(known.low));
  x = b.create<arith::MinimumFOp>(loc, x, limit(known.high));
  Value whole = b.create<ApplyOp>(loc, b.getI32Type(), "nearest_int", ValueRange{x});
  op.replaceAllUsesWith(known.writeWithZero(b, loc, whole, op.getType()));
  return true;
}

} // namespace

LogicalResult roundToIntegers(ModuleOp module, const Target &target, Requant requant) {
  bool isDual = target.byteKernels == ByteKernels::Dual, isDot4 = target.byteKernels == ByteKernels::Dot4;
  if (requant == Requant::Fixed || (!isDual && !isDot4)) // there is no FPU, or kernels of im2col rows round themselves
    return success();
  EvaluationCache cache;
  module.walk([&](RequantizeOp op) {
    Requantize known = *Requantize::of(op);
    if (isDual ? roundToByte(op, known) : roundToNearest(op, known, cache))
      op.erase();
  });
  return success();
}

} // namespace sinter
