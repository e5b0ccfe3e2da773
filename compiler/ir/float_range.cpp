// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "float_range.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

constexpr int mostDepth = 12;

bool isNeverNan(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > mostDepth)
    return false;
  auto isFactor = [&](Value v) { return isa<BlockArgument>(v) || isNeverNan(v, depth + 1); };
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant.isFinite();
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return true;
  if (isa<arith::MulFOp, math::FmaOp>(op)) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    bool isProduct = (isNeverNan(a, depth + 1) && isFactor(b)) || (isFactor(a) && isNeverNan(b, depth + 1));
    return isProduct && (isa<arith::MulFOp>(op) || isNeverNan(op->getOperand(2), depth + 1));
  }
  if (isa<arith::AddFOp, arith::SubFOp, arith::MaximumFOp, arith::MinimumFOp, math::RoundEvenOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isNeverNan(operand, depth + 1); });
  return false;
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

bool isNeverNan(Value value) { return isNeverNan(value, 0); }

bool isBounded(Value value) {
  std::optional<Value> inner = otherThanBound<arith::MinimumFOp>(value);
  if (inner)
    inner = otherThanBound<arith::MaximumFOp>(*inner);
  else if ((inner = otherThanBound<arith::MaximumFOp>(value)))
    inner = otherThanBound<arith::MinimumFOp>(*inner);
  return inner && isNeverNan(*inner);
}

} // namespace sinter
