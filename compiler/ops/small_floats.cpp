// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "small_floats.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {
namespace {

/// i32 and f32 arithmetic with short names.
struct Bits {
  OpBuilder &b;
  Location loc;

  Value integer(int64_t value) const { return b.create<arith::ConstantIntOp>(loc, value, 32); }
  Value real(double value) const { return b.create<arith::ConstantOp>(loc, b.getF32FloatAttr(value)); }
  Value unsignedOf(Value byte) const { return b.create<arith::ExtUIOp>(loc, b.getI32Type(), byte); }
  Value byteOf(Value x) const { return b.create<arith::TruncIOp>(loc, b.getI8Type(), x); }
  Value asFloat(Value x) const { return b.create<arith::BitcastOp>(loc, b.getF32Type(), x); }
  Value asInteger(Value x) const { return b.create<arith::BitcastOp>(loc, b.getI32Type(), x); }
  Value add(Value x, Value y) const { return b.create<arith::AddIOp>(loc, x, y); }
  Value both(Value x, Value y) const { return b.create<arith::AndIOp>(loc, x, y); }
  Value either(Value x, Value y) const { return b.create<arith::OrIOp>(loc, x, y); }
  Value left(Value x, int64_t n) const { return b.create<arith::ShLIOp>(loc, x, integer(n)); }
  Value right(Value x, int64_t n) const { return b.create<arith::ShRUIOp>(loc, x, integer(n)); }
  Value is(arith::CmpIPredicate p, Value x, int64_t y) const { return b.create<arith::CmpIOp>(loc, p, x, integer(y)); }
  Value less(Value x, double y) const { return b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OLT, x, real(y)); }
  Value select(Value c, Value x, Value y) const { return b.create<arith::SelectOp>(loc, c, x, y); }
  Value rounded(Value x, double factor) const {
    Value even = b.create<math::RoundEvenOp>(loc, b.create<arith::MulFOp>(loc, x, real(factor)));
    return b.create<arith::FPToSIOp>(loc, b.getI32Type(), even);
  }
};

using P = arith::CmpIPredicate;

/// Codes 0 to 7 are 0, 0.5, 1, 1.5, 2, 3, 4, 6; bit 3 is the sign.
Value widenFloat4(const Bits &s, Value stored) {
  Value bits = s.unsignedOf(stored), magnitude = s.both(bits, s.integer(7));
  Value normal = s.asFloat(s.add(s.left(magnitude, 22), s.integer(126 << 23)));
  Value subnormal =
      s.b.create<arith::MulFOp>(s.loc, s.b.create<arith::UIToFPOp>(s.loc, s.b.getF32Type(), magnitude), s.real(0.5));
  Value value = s.select(s.is(P::ult, magnitude, 2), subnormal, normal);
  return s.asFloat(s.either(s.asInteger(value), s.left(s.both(bits, s.integer(8)), 28)));
}

Value narrowFloat4(const Bits &s, Value wide) {
  Value a = s.b.create<math::AbsFOp>(s.loc, wide);
  Value limited = s.b.create<arith::MinNumFOp>(s.loc, a, s.real(6));
  Value small = s.rounded(limited, 2), middle = s.add(s.rounded(limited, 1), s.integer(2)),
        large = s.add(s.rounded(limited, 0.5), s.integer(4));
  Value code = s.select(s.less(limited, 2), small, s.select(s.less(limited, 4), middle, large));
  Value isNaN = s.b.create<arith::CmpFOp>(s.loc, arith::CmpFPredicate::UNO, wide, wide);
  Value signedCode = s.either(code, s.right(s.both(s.asInteger(wide), s.integer(int32_t(0x80000000))), 28));
  return s.byteOf(s.select(isNaN, s.integer(8), signedCode)); // there is no code for NaN: -0, as ml_dtypes has it
}

Value widenScale(const Bits &s, Value stored) {
  Value bits = s.unsignedOf(stored);
  Value smallest = s.integer(0x00400000), nan = s.integer(0x7fc00000); // 2^-127 is subnormal in f32
  return s.asFloat(s.select(s.is(P::eq, bits, 0), smallest, s.select(s.is(P::eq, bits, 255), nan, s.left(bits, 23))));
}

double largest(ElementType type) {
  return type == ElementType::Float8E4M3FN ? 448 : type == ElementType::Float8E4M3FNUZ ? 240 : 57344;
}

} // namespace

Value widenSmallFloat(OpBuilder &b, Location loc, ElementType type, Value stored) {
  Bits s{b, loc};
  if (type == ElementType::Float4E2M1)
    return widenFloat4(s, stored);
  if (type == ElementType::Float8E8M0)
    return widenScale(s, stored);
  return b.create<arith::ExtFOp>(loc, b.getF32Type(), stored);
}

Value narrowSmallFloat(OpBuilder &b, Location loc, ElementType type, Value wide, bool saturate) {
  Bits s{b, loc};
  if (type == ElementType::Float4E2M1)
    return narrowFloat4(s, wide);
  if (type == ElementType::Float8E8M0)
    return narrowScale(b, loc, wide, ScaleRounding::Up, saturate);
  if (saturate) {
    Value limit = s.real(largest(type)),
          inside = b.create<arith::CmpFOp>(loc, arith::CmpFPredicate::ULE, b.create<math::AbsFOp>(loc, wide), limit);
    wide = s.select(inside, wide, b.create<math::CopySignOp>(loc, limit, wide));
  }
  return b.create<arith::TruncFOp>(loc, storageType(type, b.getContext()), wide);
}

Value narrowScale(OpBuilder &b, Location loc, Value wide, ScaleRounding rounding, bool saturate) {
  Bits s{b, loc};
  Value bits = s.asInteger(wide), mantissa = s.both(bits, s.integer(0x7fffff)),
        exponent = s.both(s.right(bits, 23), s.integer(255));
  Value power = exponent;
  if (rounding != ScaleRounding::Down) {
    Value up = rounding == ScaleRounding::Up ? s.is(P::ugt, mantissa, 0) : s.is(P::uge, mantissa, 0x400000);
    if (rounding == ScaleRounding::Nearest) // below the smallest normal number a tie goes down, to the even code 0
      up = s.select(s.is(P::eq, exponent, 0), s.is(P::ugt, mantissa, 0x400000), up);
    power = s.add(exponent, b.create<arith::ExtUIOp>(loc, b.getI32Type(), up));
    if (saturate)
      power = b.create<arith::MinUIOp>(loc, power, s.integer(254));
  }
  Value special = s.is(P::eq, exponent, 255);
  Value isNaN = s.is(P::ugt, mantissa, 0);
  Value infinite = saturate ? s.select(isNaN, s.integer(255), s.integer(254)) : s.integer(255);
  return s.byteOf(s.select(special, infinite, power));
}

} // namespace sinter
