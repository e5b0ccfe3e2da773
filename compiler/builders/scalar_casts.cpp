// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONNX Cast for one element. Floats below 16 bits: small_floats.cpp.
#include "scalars.h"

#include "small_floats.h"

using namespace mlir;

namespace sinter {

Value widen(OpBuilder &b, Location loc, ElementType type, Value stored) {
  if (isFloat8Or4(type))
    return widenSmallFloat(b, loc, type, stored);
  if (isNarrowFloat(type))
    return b.create<arith::ExtFOp>(loc, b.getF32Type(), stored);
  return stored;
}

Value narrow(OpBuilder &b, Location loc, ElementType type, Value computed, bool saturate) {
  if (isFloat8Or4(type))
    return narrowSmallFloat(b, loc, type, computed, saturate);
  if (isNarrowFloat(type))
    return b.create<arith::TruncFOp>(loc, storageType(type, b.getContext()), computed);
  return computed;
}

Value Scalars::castTo(ElementType to, Value x) const {
  Type target = computeType(to, b.getContext());
  if (type == to)
    return x;
  Scalars out{b, loc, to};
  if (isComplex(type) || isComplex(to)) {
    if (isComplex(type) && isComplex(to))
      return b.create<ApplyOp>(loc, target, "cast_complex", x);
    if (isComplex(type))
      return Scalars{b, loc, type == ElementType::Complex64 ? ElementType::Float : ElementType::Double}.castTo(
          to, b.create<complex::ReOp>(loc, x));
    ElementType part = to == ElementType::Complex64 ? ElementType::Float : ElementType::Double;
    Value real = castTo(part, x);
    return b.create<complex::CreateOp>(loc, target, real, Scalars{b, loc, part}.constant(0));
  }
  if (to == ElementType::Bool)
    return compare(Compare::NotEqual, x, constant(0));
  if (isFloat()) {
    if (sinter::isFloat(to)) {
      unsigned from = x.getType().getIntOrFloatBitWidth(), wide = target.getIntOrFloatBitWidth();
      if (from == wide)
        return x;
      return from < wide ? b.create<arith::ExtFOp>(loc, target, x).getResult()
                         : b.create<arith::TruncFOp>(loc, target, x).getResult();
    }
    if (bitWidth(to) < 8) // the low bits of the whole number, as the standard's tests have it
      return Scalars{b, loc, ElementType::Int32}.castTo(to, castTo(ElementType::Int32, x));
    return out.isUnsigned() ? b.create<arith::FPToUIOp>(loc, target, x).getResult()
                            : b.create<arith::FPToSIOp>(loc, target, x).getResult();
  }
  bool fromUnsigned = isUnsigned() || type == ElementType::Bool;
  if (sinter::isFloat(to))
    return fromUnsigned ? b.create<arith::UIToFPOp>(loc, target, x).getResult()
                        : b.create<arith::SIToFPOp>(loc, target, x).getResult();
  unsigned from = x.getType().getIntOrFloatBitWidth(), wide = target.getIntOrFloatBitWidth();
  Value cast = x;
  if (from < wide)
    cast = fromUnsigned ? b.create<arith::ExtUIOp>(loc, target, x).getResult()
                        : b.create<arith::ExtSIOp>(loc, target, x).getResult();
  else if (from > wide)
    cast = b.create<arith::TruncIOp>(loc, target, x);
  if (unsigned bits = bitWidth(to); bits < 8) { // wrap to 4 or 2 bits, held sign- or zero-extended in i8
    Value shift = out.integer(8 - bits);
    cast = b.create<arith::ShLIOp>(loc, cast, shift);
    cast = out.isUnsigned() ? b.create<arith::ShRUIOp>(loc, cast, shift).getResult()
                            : b.create<arith::ShRSIOp>(loc, cast, shift).getResult();
  }
  return cast;
}

Value Scalars::castFromInteger(Value integer, const Scalars &from) const {
  Type target = computeType(type, b.getContext());
  return from.isUnsigned() ? b.create<arith::UIToFPOp>(loc, target, integer).getResult()
                           : b.create<arith::SIToFPOp>(loc, target, integer).getResult();
}

} // namespace sinter
