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
  Value select(Value c, Value x, Value y) const { return b.create<arith::SelectOp>(loc, c, x, y); }
};

using P = arith::CmpIPredicate;

/// What the codes at the end of a format's range mean.
enum class End { InfinityAndNaN, NaN, MinusZeroIsNaN, Numbers };

/// A sign, `exponent` and `mantissa` bits.
struct Format {
  int64_t exponent, mantissa, bias;
  End end;

  int64_t sign() const { return int64_t(1) << (exponent + mantissa); }
  int64_t magnitudes() const { return sign() - 1; }
  /// The largest finite number's code.
  int64_t greatest() const {
    return end == End::InfinityAndNaN ? sign() - (int64_t(1) << mantissa) - 1
           : end == End::NaN          ? sign() - 2
                                      : sign() - 1;
  }
};

Format formatOf(ElementType type) {
  switch (type) {
  case ElementType::Float8E4M3FN:
    return {4, 3, 7, End::NaN};
  case ElementType::Float8E4M3FNUZ:
    return {4, 3, 8, End::MinusZeroIsNaN};
  case ElementType::Float8E5M2:
    return {5, 2, 15, End::InfinityAndNaN};
  case ElementType::Float8E5M2FNUZ:
    return {5, 2, 16, End::MinusZeroIsNaN};
  default:
    return {2, 1, 1, End::Numbers}; // float4e2m1
  }
}

/// The bits of 2^n in f32.
int64_t powerBits(int64_t n) { return (n + 127) << 23; }
constexpr int64_t infinityBits = 0x7f800000, nanBits = 0x7fc00000;

Value widenFormat(const Bits &s, const Format &f, Value stored) {
  Value bits = s.unsignedOf(stored), magnitude = s.both(bits, s.integer(f.magnitudes()));
  Value normal = s.add(s.left(magnitude, 23 - f.mantissa), s.integer(powerBits(-f.bias)));
  Value whole = s.b.create<arith::UIToFPOp>(s.loc, s.b.getF32Type(), magnitude);
  Value subnormal =
      s.asInteger(s.b.create<arith::MulFOp>(s.loc, whole, s.asFloat(s.integer(powerBits(1 - f.bias - f.mantissa)))));
  Value value = s.select(s.is(P::ult, magnitude, int64_t(1) << f.mantissa), subnormal, normal);
  if (f.end == End::InfinityAndNaN)
    value = s.select(s.is(P::eq, magnitude, f.greatest() + 1), s.integer(infinityBits), value);
  if (f.end == End::InfinityAndNaN || f.end == End::NaN)
    value = s.select(s.is(P::ugt, magnitude, f.greatest() + (f.end == End::NaN ? 0 : 1)), s.integer(nanBits), value);
  value = s.either(value, s.left(s.both(bits, s.integer(f.sign())), 31 - f.exponent - f.mantissa));
  if (f.end == End::MinusZeroIsNaN)
    value = s.select(s.is(P::eq, bits, f.sign()), s.integer(nanBits), value);
  return s.asFloat(value);
}

/// To nearest even. Adding and taking away a power of two rounds at the last place that the format has there.
Value narrowFormat(const Bits &s, const Format &f, Value wide, bool saturate) {
  Value bits = s.asInteger(wide), a = s.b.create<math::AbsFOp>(s.loc, wide);
  Value limited = s.b.create<arith::MinNumFOp>(s.loc, a, s.real(1 << 17)); // beyond every format; NaN is seen to below
  Value own = s.right(s.asInteger(limited), 23);
  int64_t least = 1 - f.bias + 127;
  Value exponent = s.b.create<arith::MaxUIOp>(s.loc, own, s.integer(least));
  Value magic = s.asFloat(s.left(s.add(exponent, s.integer(23 - f.mantissa)), 23));
  Value rounded = s.b.create<arith::SubFOp>(s.loc, s.b.create<arith::AddFOp>(s.loc, limited, magic), magic);
  Value scale = s.asFloat(s.left(s.b.create<arith::SubIOp>(s.loc, s.integer(254 + f.mantissa), exponent), 23));
  Value steps = s.b.create<arith::FPToSIOp>(s.loc, s.b.getI32Type(), s.b.create<arith::MulFOp>(s.loc, rounded, scale));
  Value code = s.add(steps, s.left(s.add(exponent, s.integer(-least)), f.mantissa)); // a carry moves into the exponent
  Value sign = s.both(s.right(bits, 31 - f.exponent - f.mantissa), s.integer(f.sign()));
  Value overflow = s.is(P::sgt, code, f.greatest()),
        isNaN = s.b.create<arith::CmpFOp>(s.loc, arith::CmpFPredicate::UNO, wide, wide);
  bool limits = saturate || f.end == End::Numbers;
  Value bounded = s.select(overflow, s.integer(limits ? f.greatest() : f.greatest() + 1), code);
  if (f.end != End::MinusZeroIsNaN) {
    // Where there is no NaN it becomes -0, as ml_dtypes has it.
    Value nan = s.integer(f.end == End::InfinityAndNaN ? f.greatest() + 2
                          : f.end == End::NaN          ? f.greatest() + 1
                                                       : f.sign());
    return s.byteOf(s.select(isNaN, nan, s.either(bounded, sign)));
  }
  Value withSign = s.select(s.is(P::eq, bounded, 0), bounded, s.either(bounded, sign));
  Value none = limits ? isNaN : s.b.create<arith::OrIOp>(s.loc, isNaN, overflow).getResult();
  return s.byteOf(s.select(none, s.integer(f.sign()), withSign));
}

Value widenScale(const Bits &s, Value stored) {
  Value bits = s.unsignedOf(stored);
  Value smallest = s.integer(0x00400000); // 2^-127 is subnormal in f32
  return s.asFloat(
      s.select(s.is(P::eq, bits, 0), smallest, s.select(s.is(P::eq, bits, 255), s.integer(nanBits), s.left(bits, 23))));
}

} // namespace

Value widenSmallFloat(OpBuilder &b, Location loc, ElementType type, Value stored) {
  Bits s{b, loc};
  return type == ElementType::Float8E8M0 ? widenScale(s, stored) : widenFormat(s, formatOf(type), stored);
}

Value narrowSmallFloat(OpBuilder &b, Location loc, ElementType type, Value wide, bool saturate) {
  if (type == ElementType::Float8E8M0)
    return narrowScale(b, loc, wide, ScaleRounding::Up, saturate);
  return narrowFormat(Bits{b, loc}, formatOf(type), wide, saturate);
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
