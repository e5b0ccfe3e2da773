// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops behind Scalars. Conversions between types: scalar_casts.cpp.
#include "scalars.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;

namespace sinter {

static Type computed(const Scalars &s) { return computeType(s.type, s.b.getContext()); }

Value Scalars::constant(double value) const {
  Type t = computed(*this);
  if (type == ElementType::String) { // the empty string stands for 0
    auto one = RankedTensorType::get({}, t);
    Value empty = b.create<arith::ConstantOp>(loc, DenseStringElementsAttr::get(one, StringRef()));
    return b.create<tensor::ExtractOp>(loc, empty, ValueRange());
  }
  if (auto floating = dyn_cast<FloatType>(t))
    return b.create<arith::ConstantOp>(loc, b.getFloatAttr(floating, value));
  if (auto complexType = dyn_cast<ComplexType>(t)) {
    auto element = cast<FloatType>(complexType.getElementType());
    return b.create<complex::ConstantOp>(loc, t,
                                         b.getArrayAttr({b.getFloatAttr(element, value), b.getFloatAttr(element, 0)}));
  }
  return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(t, static_cast<int64_t>(value)));
}

Value Scalars::integer(int64_t value) const {
  Type t = computed(*this);
  if (!isa<IntegerType>(t))
    return constant(static_cast<double>(value));
  return b.create<arith::ConstantOp>(loc, IntegerAttr::get(t, APInt(t.getIntOrFloatBitWidth(), value, true)));
}

Value Scalars::lowest() const {
  if (isFloat())
    return constant(-std::numeric_limits<double>::infinity());
  unsigned width = bitWidth(type), held = computed(*this).getIntOrFloatBitWidth();
  APInt value = type == ElementType::Bool || isUnsigned() ? APInt(held, 0) : APInt::getSignedMinValue(width).sext(held);
  return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(computed(*this), value));
}

Value Scalars::highest() const {
  if (isFloat())
    return constant(std::numeric_limits<double>::infinity());
  unsigned width = bitWidth(type), held = computed(*this).getIntOrFloatBitWidth();
  APInt value = type == ElementType::Bool || isUnsigned() ? APInt::getMaxValue(width).zext(held)
                                                          : APInt::getSignedMaxValue(width).sext(held);
  return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(computed(*this), value));
}

Value Scalars::add(Value x, Value y) const {
  if (isComplex(type))
    return b.create<complex::AddOp>(loc, x, y);
  return isFloat() ? b.create<arith::AddFOp>(loc, x, y).getResult() : b.create<arith::AddIOp>(loc, x, y).getResult();
}

Value Scalars::sub(Value x, Value y) const {
  if (isComplex(type))
    return b.create<complex::SubOp>(loc, x, y);
  return isFloat() ? b.create<arith::SubFOp>(loc, x, y).getResult() : b.create<arith::SubIOp>(loc, x, y).getResult();
}

Value Scalars::mul(Value x, Value y) const {
  if (isComplex(type))
    return b.create<complex::MulOp>(loc, x, y);
  return isFloat() ? b.create<arith::MulFOp>(loc, x, y).getResult() : b.create<arith::MulIOp>(loc, x, y).getResult();
}

Value Scalars::div(Value x, Value y) const {
  if (isComplex(type))
    return b.create<complex::DivOp>(loc, x, y);
  if (isFloat())
    return b.create<arith::DivFOp>(loc, x, y);
  return isUnsigned() ? b.create<arith::DivUIOp>(loc, x, y).getResult()
                      : b.create<arith::DivSIOp>(loc, x, y).getResult();
}

Value Scalars::max(Value x, Value y) const {
  if (isFloat())
    return b.create<arith::MaximumFOp>(loc, x, y);
  if (isUnsigned() || type == ElementType::Bool)
    return b.create<arith::MaxUIOp>(loc, x, y);
  return b.create<arith::MaxSIOp>(loc, x, y);
}

Value Scalars::min(Value x, Value y) const {
  if (isFloat())
    return b.create<arith::MinimumFOp>(loc, x, y);
  if (isUnsigned() || type == ElementType::Bool)
    return b.create<arith::MinUIOp>(loc, x, y);
  return b.create<arith::MinSIOp>(loc, x, y);
}

Value Scalars::neg(Value x) const {
  if (isFloat())
    return b.create<arith::NegFOp>(loc, x);
  return sub(constant(0), x);
}

Value Scalars::abs(Value x) const {
  if (isFloat())
    return b.create<math::AbsFOp>(loc, x);
  return isUnsigned() ? x : b.create<math::AbsIOp>(loc, x).getResult();
}

Value Scalars::compare(Compare predicate, Value x, Value y) const {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I signedInts[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I unsignedInts[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge};
  int i = static_cast<int>(predicate);
  if (isFloat())
    return b.create<arith::CmpFOp>(loc, floats[i], x, y);
  bool asUnsigned = isUnsigned() || type == ElementType::Bool;
  return b.create<arith::CmpIOp>(loc, asUnsigned ? unsignedInts[i] : signedInts[i], x, y);
}

Value Scalars::select(Value condition, Value x, Value y) const {
  return b.create<arith::SelectOp>(loc, condition, x, y);
}

Value Scalars::apply(StringRef function, ValueRange operands) const {
  return b.create<ApplyOp>(loc, computed(*this), function, operands);
}

} // namespace sinter
