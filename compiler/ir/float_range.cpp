// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "float_range.h"

#include "dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace sinter {
namespace {

constexpr int mostDepth = 12;

/// The most that the value's magnitude can be; nothing where it may be NaN or infinite.
std::optional<double> largestMagnitude(Value value, LargestFn largestOf, int depth) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return largestOf(argument);
  Operation *op = value.getDefiningOp();
  if (depth > mostDepth)
    return std::nullopt;
  if (APFloat constant(0.0f); matchPattern(value, m_ConstantFloat(&constant)))
    return constant.isFinite() ? std::optional(std::fabs(constant.convertToDouble())) : std::nullopt;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    Type from = op->getOperand(0).getType();
    return std::ldexp(1.0, static_cast<int>(from.isIndex() ? 64 : from.getIntOrFloatBitWidth()));
  }
  if (auto requantize = dyn_cast<RequantizeOp>(op))
    return std::max(std::fabs(double(int64_t(requantize.getLow()))), std::fabs(double(int64_t(requantize.getHigh()))));
  if (!isa<arith::MulFOp, math::FmaOp, arith::AddFOp, arith::SubFOp, arith::MaximumFOp, arith::MinimumFOp,
           math::RoundEvenOp>(op))
    return std::nullopt;
  SmallVector<double, 3> x;
  for (Value operand : op->getOperands()) {
    std::optional<double> one = largestMagnitude(operand, largestOf, depth + 1);
    if (!one)
      return std::nullopt;
    x.push_back(*one);
  }
  double most = isa<math::RoundEvenOp>(op)                      ? x[0] + 1
                : isa<arith::MaximumFOp, arith::MinimumFOp>(op) ? std::max(x[0], x[1])
                : isa<arith::AddFOp, arith::SubFOp>(op)         ? x[0] + x[1]
                : isa<math::FmaOp>(op)                          ? x[0] * x[1] + x[2]
                                                                : x[0] * x[1];
  // The sum of rounding errors on the way is far below the one bit that is left free.
  return most < std::numeric_limits<float>::max() / 2 ? std::optional(most) : std::nullopt;
}

/// What an argument of a loop nest or of a contraction's epilogue stands for; null for sums and results.
Value operandOfArgument(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  auto at = [](OperandRange inputs, unsigned i) { return i < inputs.size() ? inputs[i] : Value(); };
  if (auto nest = dyn_cast<linalg::GenericOp>(op))
    return at(nest.getInputs(), number);
  if (auto conv = dyn_cast<ConvOp>(op))
    return number > 0 ? at(conv.getEpilogueInputs(), number - 1) : Value();
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return number > 0 ? at(matmul.getEpilogueInputs(), number - 1) : Value();
  return {};
}

/// The constant among the operands of a max or min, if an int32 holds it.
template <class Op>
std::optional<Value> otherThanBound(Value value) {
  auto op = value.getDefiningOp<Op>();
  if (!op)
    return std::nullopt;
  APFloat bound(0.0f);
  Value other = op.getLhs();
  if (!matchPattern(op.getRhs(), m_ConstantFloat(&bound))) {
    if (!matchPattern(op.getLhs(), m_ConstantFloat(&bound)))
      return std::nullopt;
    other = op.getRhs();
  }
  return std::fabs(bound.convertToDouble()) <= 2147483520.0 ? std::optional(other) : std::nullopt;
}

} // namespace

std::optional<double> largestOfConstant(BlockArgument argument) {
  Value operand = operandOfArgument(argument);
  while (auto view = operand ? operand.getDefiningOp<ViewLikeOpInterface>() : nullptr)
    operand = view.getViewSource();
  auto constant = operand ? operand.getDefiningOp<ConstantOp>() : nullptr;
  auto noted = constant ? constant->getAttrOfType<FloatAttr>(largestAttribute) : FloatAttr();
  return noted ? std::optional(noted.getValueAsDouble()) : std::nullopt;
}

bool isNeverNan(Value value, LargestFn largestOf) { return largestMagnitude(value, largestOf, 0).has_value(); }

bool isBounded(Value value, LargestFn largestOf) {
  std::optional<Value> inner = otherThanBound<arith::MinimumFOp>(value);
  if (inner)
    inner = otherThanBound<arith::MaximumFOp>(*inner);
  else if ((inner = otherThanBound<arith::MaximumFOp>(value)))
    inner = otherThanBound<arith::MinimumFOp>(*inner);
  return inner && isNeverNan(*inner, largestOf);
}

} // namespace sinter
