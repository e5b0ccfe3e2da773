// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types that C++ lacks, conversions between float and all element types, and the few functions of numbers that
// have an instruction of their own. f16 and bf16 are words of storage: arithmetic happens in float.
#pragma once

#include "templates/cuda/device.h"

#include "runtime-lite/half.h"

namespace sinter::cuda {
namespace {

using sinter::f16, sinter::bf16;

/// The type of a product's second operand beside the first's: bytes are multiplied by signed ones.
template <class T>
struct OtherOperand {
  using Type = T;
};
template <>
struct OtherOperand<uint8_t> {
  using Type = int8_t;
};
/// What products are added up in.
template <class T>
struct SumOf {
  using Type = float;
};
template <>
struct SumOf<int8_t> {
  using Type = int32_t;
};
template <>
struct SumOf<uint8_t> {
  using Type = int32_t;
};

SINTER_DEVICE float toFloat(float x) { return x; }
SINTER_DEVICE float toFloat(int32_t x) { return float(x); }
SINTER_DEVICE float toFloat(int8_t x) { return float(x); }
SINTER_DEVICE float toFloat(uint8_t x) { return float(x); }
SINTER_DEVICE float toFloat(f16 x) {
#if SINTER_ON_DEVICE
  return sinter::halfToFloat<f16>(x.bits);
#else
  return emulation::floatOfF16(x.bits);
#endif
}
SINTER_DEVICE float toFloat(bf16 x) { return bitCast<float>(uint32_t(x.bits) << 16); }

SINTER_DEVICE float infinity() { return bitCast<float>(0x7f800000u); }

/// To nearest even, as the CPU's.
SINTER_DEVICE f16 toF16(float x) {
#if SINTER_ON_DEVICE
  return {sinter::floatToHalf<f16>(x)};
#else
  return {emulation::f16OfFloat(x)};
#endif
}
SINTER_DEVICE bf16 toBf16(float x) {
  const uint32_t f = bitCast<uint32_t>(x);
  if ((f & 0x7fffffffu) > 0x7f800000u)
    return {uint16_t(f >> 16 | 0x0040u)};
  return {uint16_t((f + 0x7fffu + (f >> 16 & 1u)) >> 16)};
}

/// Two adjacent elements of T, f16 or bf16, in a word.
template <class T>
SINTER_DEVICE uint32_t packPair(float low, float high) {
#if SINTER_ON_DEVICE && SINTER_CUDA_ARCH >= 800
  uint32_t r; // the instruction takes the upper half first
  if constexpr (kSame<T, f16>)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
#else
  if constexpr (kSame<T, f16>)
    return toF16(low).bits | uint32_t(toF16(high).bits) << 16;
  else
    return toBf16(low).bits | uint32_t(toBf16(high).bits) << 16;
#endif
}

/// And back, exactly.
template <class T>
SINTER_DEVICE float lowOfPair(uint32_t pair) {
  if constexpr (kSame<T, bf16>)
    return bitCast<float>(pair << 16);
#if SINTER_ON_DEVICE
  float r;
  asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low;}" : "=f"(r) : "r"(pair));
  return r;
#else
  return toFloat(f16{uint16_t(pair)});
#endif
}
template <class T>
SINTER_DEVICE float highOfPair(uint32_t pair) {
  if constexpr (kSame<T, bf16>)
    return bitCast<float>(pair & 0xffff0000u);
#if SINTER_ON_DEVICE
  float r;
  asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high;}" : "=f"(r) : "r"(pair));
  return r;
#else
  return toFloat(f16{uint16_t(pair >> 16)});
#endif
}

/// To nearest even, limited to T's range; 0 for NaN. One instruction.
template <class T>
SINTER_DEVICE int32_t roundTo(float x) {
#if SINTER_ON_DEVICE
  int32_t r;
  if constexpr (kSame<T, int8_t>)
    asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
  else if constexpr (kSame<T, uint8_t>)
    asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(x));
  else
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(x));
  return r;
#else
  constexpr bool isByte = kSame<T, int8_t> || kSame<T, uint8_t>;
  return emulation::roundTo(x, isByte ? (kSame<T, int8_t> ? -128 : 0) : -2147483647 - 1,
                            isByte ? (kSame<T, int8_t> ? 127 : 255) : 2147483647);
#endif
}

/// What kernels store: a float in any floating type, a whole number in any integer type (its low bits).
template <class T, class V>
SINTER_DEVICE T stored(V v) {
  if constexpr (kSame<T, V>)
    return v;
  else if constexpr (kSame<T, f16>)
    return toF16(toFloat(v));
  else if constexpr (kSame<T, bf16>)
    return toBf16(toFloat(v));
  else if constexpr (kSame<T, float>)
    return toFloat(v);
  else
    return T(v);
}

/// Two to the x, within 2^-22 of it; exact for whole x.
SINTER_DEVICE float exp2(float x) {
#if SINTER_ON_DEVICE
  float r;
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return emulation::exp2(x);
#endif
}
/// a * b + c, rounded once.
SINTER_DEVICE float fma(float a, float b, float c) {
#if SINTER_ON_DEVICE
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
#else
  return emulation::fma(a, b, c);
#endif
}
/// sum + a b, in the type of sums.
SINTER_DEVICE int32_t addProduct(int8_t a, int8_t b, int32_t sum) { return sum + int32_t(a) * int32_t(b); }
SINTER_DEVICE int32_t addProduct(uint8_t a, int8_t b, int32_t sum) { return sum + int32_t(a) * int32_t(b); }
template <class T>
SINTER_DEVICE float addProduct(T a, T b, float sum) {
  return fma(toFloat(a), toFloat(b), sum);
}
/// 1 / sqrt(x), within 2^-22 of it.
SINTER_DEVICE float rsqrt(float x) {
#if SINTER_ON_DEVICE
  float r;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return emulation::rsqrt(x);
#endif
}
/// e to the x for x <= 0, within 2^-21. Whole powers of two are split off, since x log2(e) in one rounding would lose
/// the bits of a large x.
SINTER_DEVICE float expNegative(float x) {
  constexpr float kLog2E = 1.44269504f, kLn2High = 0.693145752f, kLn2Low = 1.42860677e-6f;
  if (!(x > -150.0f)) // all below 2^-150, -infinity and NaN
    return x == x ? 0.0f : x;
  const float shifter = 12582912.0f; // 1.5 * 2^23: adding it rounds to a whole number
  const float whole = fma(x, kLog2E, shifter) - shifter;
  const float rest = fma(whole, -kLn2Low, fma(whole, -kLn2High, x));
  return exp2(rest * kLog2E) * exp2(whole);
}
/// The greater one; NaN if one is.
SINTER_DEVICE float greater(float a, float b) { return a > b || a != a ? a : b; }

} // namespace
} // namespace sinter::cuda
