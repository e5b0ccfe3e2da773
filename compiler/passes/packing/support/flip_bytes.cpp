// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flip_bytes.h"

#include "ir/requantize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// Floats hold such numbers and their sums with bytes exactly.
constexpr double mostOfBias = 1 << 20;

Value numberLike(OpBuilder &b, Location loc, Type type, int64_t value) {
  return isa<FloatType>(type)
             ? b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, static_cast<double>(value))).getResult()
             : b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, value)).getResult();
}

Value flipped(OpBuilder &b, Location loc, Value byte) {
  return b.create<arith::XOrIOp>(loc, byte, numberLike(b, loc, byte.getType(), -128));
}

/// From, of the element, as To of the flipped one, with what that is off by added.
template <class From, class To, class Add>
bool converted(Operation *op, int64_t less) {
  auto old = dyn_cast<From>(op);
  if (!old)
    return false;
  OpBuilder b(op);
  Location loc = op->getLoc();
  Type type = old.getType();
  Value whole = b.create<To>(loc, type, old.getOperand());
  old.replaceAllUsesWith(b.create<Add>(loc, whole, numberLike(b, loc, type, less)).getResult());
  old.erase();
  return true;
}

/// A term of a sum, where what is added to it is known to be a whole number: all sums are exact then.
bool flipTerm(RequantizeOp op, unsigned i) {
  APFloat known(0.0f);
  if (i >= op.getValues().size() || !matchPattern(op.getBiases()[i], m_ConstantFloat(&known)))
    return false;
  double bias = known.convertToDouble();
  if (std::trunc(bias) != bias || std::abs(bias) > mostOfBias)
    return false;
  std::string signs = op.getSigns().empty() ? std::string(op.getValues().size(), 's') : op.getSigns().str();
  bool wasUnsigned = signs[i] == 'u';
  signs[i] = wasUnsigned ? 's' : 'u';
  OpBuilder b(op);
  op.getBiasesMutable()[i].assign(
      numberLike(b, op.getLoc(), b.getF32Type(), static_cast<int64_t>(bias) + (wasUnsigned ? 128 : -128)));
  op.setSigns(StringRef(signs).contains('u') ? signs : "");
  return true;
}

} // namespace

void flipScalar(OpOperand &scalar) {
  OpBuilder b(scalar.getOwner());
  Location loc = scalar.getOwner()->getLoc();
  APInt known;
  scalar.set(matchPattern(scalar.get(), m_ConstantInt(&known))
                 ? numberLike(b, loc, b.getI8Type(), static_cast<int8_t>(known.getSExtValue() ^ 0x80))
                 : flipped(b, loc, scalar.get()));
}

void flipResult(OpOperand &yielded, bool toUnsigned) {
  Operation *end = yielded.getOwner();
  Location loc = end->getLoc();
  OpBuilder b(end);
  std::optional<Requantize> known = Requantize::of(yielded.get());
  if (!known) {
    yielded.set(flipped(b, loc, yielded.get()));
    return;
  }
  Operation *old = yielded.get().getDefiningOp();
  int64_t least = known->low + known->zero, most = known->high + known->zero;
  bool canRise = least >= -128 && most <= 127, canFall = least >= 0;
  known->zero += canRise && (toUnsigned || !canFall) ? 128 : -128;
  b.setInsertionPoint(old);
  yielded.set(known->write(b, old->getLoc(), b.getI8Type()));
  if (old->use_empty())
    old->erase();
}

void flipElement(BlockArgument element) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : element.getUses())
    uses.push_back(&use);
  Value other;
  for (OpOperand *use : uses) {
    Operation *op = use->getOwner();
    auto requantize = dyn_cast<RequantizeOp>(op);
    if (converted<arith::ExtSIOp, arith::ExtUIOp, arith::AddIOp>(op, -128) ||
        converted<arith::ExtUIOp, arith::ExtSIOp, arith::AddIOp>(op, 128) ||
        converted<arith::SIToFPOp, arith::UIToFPOp, arith::AddFOp>(op, -128) ||
        converted<arith::UIToFPOp, arith::SIToFPOp, arith::AddFOp>(op, 128) ||
        (requantize && flipTerm(requantize, use->getOperandNumber())))
      continue;
    if (!other) {
      OpBuilder b(element.getOwner(), element.getOwner()->begin());
      other = flipped(b, element.getLoc(), element);
    }
    use->set(other);
  }
}

void flipPool(PoolOp pool) {
  int64_t more = pool.getIsUnsigned() ? -128 : 128;
  pool.setIsUnsigned(!pool.getIsUnsigned());
  if (PoolScalesAttr scales = pool.getScalesAttr())
    pool.setScalesAttr(PoolScalesAttr::get(pool.getContext(), scales.getXScale(), scales.getXZero() + more,
                                           scales.getYScale(), scales.getYZero() + more, scales.getIntegerSums()));
}

} // namespace sinter
