// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "requantize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// A float holds integers up to here.
constexpr int64_t mostWhole = 1 << 24;

/// Null for a literal that is `neutral`.
Value unlessNeutral(Value value, int64_t neutral) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return value;
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValueAsDouble() == static_cast<double>(neutral) ? Value() : value;
  auto number = dyn_cast<IntegerAttr>(constant);
  return number && number.getValue() == neutral ? Value() : value;
}

Value literal(OpBuilder &b, Location loc, Type type, int64_t number) {
  return isa<FloatType>(type)
             ? b.create<arith::ConstantOp>(loc, b.getFloatAttr(type, static_cast<double>(number))).getResult()
             : b.create<arith::ConstantOp>(loc, b.getIntegerAttr(type, number)).getResult();
}

bool isWide(Type type) { return isa<IntegerType>(type) && type.getIntOrFloatBitWidth() >= 32; }

Value writeTerm(const RequantizeTerm &term, OpBuilder &b, Location loc) {
  Value x = term.value;
  bool addsInteger = term.bias && isa<IntegerType>(term.bias.getType());
  if (addsInteger)
    x = b.create<arith::AddIOp>(loc, x, term.bias);
  if (term.isInteger())
    x = term.isUnsigned ? b.create<arith::UIToFPOp>(loc, b.getF32Type(), x).getResult()
                        : b.create<arith::SIToFPOp>(loc, b.getF32Type(), x).getResult();
  if (term.bias && !addsInteger)
    x = b.create<arith::AddFOp>(loc, x, term.bias);
  return term.factor ? b.create<arith::MulFOp>(loc, x, term.factor).getResult() : x;
}

} // namespace

std::optional<Requantize> Requantize::of(Value value) {
  auto op = value.getDefiningOp<RequantizeOp>();
  if (!op)
    return std::nullopt;
  Requantize result{{}, op.getAddend(), int64_t(op.getZero()), int64_t(op.getLow()), int64_t(op.getHigh())};
  for (auto [i, term] : llvm::enumerate(op.getValues()))
    result.terms.push_back({term, i < op.getSigns().size() && op.getSigns()[i] == 'u',
                            unlessNeutral(op.getBiases()[i], 0), unlessNeutral(op.getFactors()[i], 1)});
  return result;
}

bool Requantize::isUnsignedIn(Type type) const {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && !llvm::isIntN(integer.getWidth(), high + zero);
}

Value Requantize::write(OpBuilder &b, Location loc, Type type) const {
  SmallVector<Value> values, biases, factors;
  std::string signs;
  for (const RequantizeTerm &term : terms) {
    Type valueType = term.value.getType();
    values.push_back(term.value);
    biases.push_back(term.bias ? term.bias : literal(b, loc, isWide(valueType) ? valueType : b.getF32Type(), 0));
    factors.push_back(term.factor ? term.factor : literal(b, loc, b.getF32Type(), 1));
    signs += term.isUnsigned ? 'u' : 's';
  }
  if (!StringRef(signs).contains('u'))
    signs.clear();
  return b.create<RequantizeOp>(loc, type, values, biases, factors, addend, zero, low, high, signs);
}

Value Requantize::writeSum(OpBuilder &b, Location loc) const {
  Value total;
  for (const RequantizeTerm &term : terms) {
    Value x = writeTerm(term, b, loc);
    total = total ? b.create<arith::AddFOp>(loc, total, x).getResult() : x;
  }
  return addend ? b.create<arith::AddFOp>(loc, total, addend).getResult() : total;
}

Value Requantize::writeWithZero(OpBuilder &b, Location loc, Value whole, Type type) const {
  if (zero != 0)
    whole = b.create<arith::AddIOp>(loc, whole, literal(b, loc, b.getI32Type(), zero));
  return type.isInteger(32) ? whole : b.create<arith::TruncIOp>(loc, type, whole).getResult();
}

Value Requantize::writeExpanded(OpBuilder &b, Location loc, Type type) const {
  Value x = b.create<math::RoundEvenOp>(loc, writeSum(b, loc));
  x = b.create<arith::MaximumFOp>(loc, x, literal(b, loc, b.getF32Type(), low));
  x = b.create<arith::MinimumFOp>(loc, x, literal(b, loc, b.getF32Type(), high));
  if (type.isF32())
    return x;
  return writeWithZero(b, loc, b.create<arith::FPToSIOp>(loc, b.getI32Type(), x), type);
}

bool isExtendedUnsigned(Value value) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (isa<arith::UIToFPOp, arith::ExtUIOp>(use.getOwner()))
      return true;
    auto requantize = dyn_cast<RequantizeOp>(use.getOwner());
    return requantize && use.getOperandNumber() < requantize.getSigns().size() &&
           requantize.getSigns()[use.getOperandNumber()] == 'u';
  });
}

Value wholeOf(OpBuilder &b, Location loc, Value value, int64_t zero) {
  if (std::optional<Requantize> known = Requantize::of(value)) {
    known->zero = zero;
    return known->write(b, loc, b.getI32Type());
  }
  Value whole = b.create<arith::FPToSIOp>(loc, b.getI32Type(), value);
  return zero == 0 ? whole : b.create<arith::AddIOp>(loc, whole, literal(b, loc, b.getI32Type(), zero)).getResult();
}

template <class Contraction>
static std::optional<RequantizedSum> requantizedSumOf(Contraction op) {
  Block &block = op.getEpilogue().front();
  std::optional<Requantize> known = Requantize::of(block.getTerminator()->getOperand(0));
  if (!known || known->terms.size() != 1 || known->addend || !known->terms[0].bias || !known->terms[0].factor ||
      known->terms[0].value != block.getArgument(0) || !block.getArgument(0).getType().isInteger(32) ||
      !block.getTerminator()->getOperand(0).getType().isInteger(8))
    return std::nullopt;
  int64_t channels = cast<ShapedType>(op.getInits()[0].getType()).getShape().back();
  auto perChannel = [&](Value value) -> Value {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &block || argument.getArgNumber() == 0)
      return {};
    unsigned number = argument.getArgNumber() - 1;
    Value operand = op.getEpilogueInputs()[number];
    auto type = dyn_cast<ShapedType>(operand.getType());
    auto buffer = dyn_cast<MemRefType>(operand.getType());
    AffineMap map = cast<AffineMapAttr>(op.getEpilogueMaps()[number]).getValue();
    if (!type || !type.hasStaticShape() || type.getNumElements() != channels ||
        (buffer && !buffer.getLayout().isIdentity()))
      return {};
    for (auto [size, result] : llvm::zip(type.getShape(), map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result); size != 1 && (!dim || dim.getPosition() + 1 != map.getNumDims()))
        return {};
    return operand;
  };
  RequantizedSum sum{perChannel(known->terms[0].bias), {}, std::nullopt, known->zero, known->low, known->high};
  if (APFloat one(0.0f); matchPattern(known->terms[0].factor, m_ConstantFloat(&one)))
    sum.oneFactor = one.convertToDouble();
  else
    sum.factor = perChannel(known->terms[0].factor);
  return sum.bias && (sum.factor || sum.oneFactor) ? std::optional(sum) : std::nullopt;
}

std::optional<RequantizedSum> RequantizedSum::of(Operation *contraction) {
  if (auto conv = dyn_cast<ConvOp>(contraction))
    return requantizedSumOf(conv);
  if (auto matmul = dyn_cast<MatmulOp>(contraction))
    return requantizedSumOf(matmul);
  return std::nullopt;
}

LogicalResult RequantizeOp::verify() {
  if (getValues().empty() || getBiases().size() != getValues().size() || getFactors().size() != getValues().size())
    return emitOpError("needs values, with a bias and a factor for each");
  if (!getSigns().empty() &&
      (getSigns().size() != getValues().size() || getSigns().find_first_not_of("su") != StringRef::npos))
    return emitOpError("signs has one letter, s or u, for each value, or none");
  for (auto [value, bias] : llvm::zip(getValues(), getBiases())) {
    if (!isa<IntegerType>(value.getType()) && !value.getType().isF32())
      return emitOpError("values are integers or f32");
    if (!bias.getType().isF32() && !(isWide(value.getType()) && bias.getType() == value.getType()))
      return emitOpError("a bias is an f32, or of its value's type if that is an integer of 32 bits or more");
  }
  auto low = int64_t(getLow()), high = int64_t(getHigh()), zero = int64_t(getZero());
  if (low > high || low < -mostWhole || high > mostWhole)
    return emitOpError("limits are in order and whole numbers that f32 holds");
  if (getType().isF32())
    return zero == 0 ? success() : emitOpError("an f32 has no zero point");
  auto type = dyn_cast<IntegerType>(getType());
  if (!type || type.getWidth() > 32)
    return emitOpError("the result is an integer of at most 32 bits, or an f32");
  bool isSigned = llvm::isIntN(type.getWidth(), low + zero) && llvm::isIntN(type.getWidth(), high + zero),
       isUnsigned = low + zero >= 0 && llvm::isUIntN(type.getWidth(), high + zero);
  return isSigned || isUnsigned ? success() : emitOpError("the result's type does not hold low + zero .. high + zero");
}

} // namespace sinter
