// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding to whole numbers, exact on every target and without libm: floor, ceil, trunc, roundEven, nearestInt, round,
// fmod; and sqrt. Generic over float, double and vectors of them.
#pragma once

#include "runtime-lite/convert.h"
#include "runtime-lite/fma.h"
#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// From here on every value is whole.
template <class E>
constexpr E kWholeFrom = E(sizeof(E) == 4 ? 0x1p23 : 0x1p52);

/// To nearest, ties to even (in the caller's rounding mode where there is no instruction). -0 stays.
template <class V>
SINTER_INLINE V roundEven(V x) {
#if defined(__AVX512F__)
  if constexpr (kSame<V, Vec<float, 16>>)
    return __builtin_ia32_rndscaleps_mask(x, 8, x, static_cast<uint16_t>(-1), 4);
  if constexpr (kSame<V, Vec<double, 8>>)
    return __builtin_ia32_rndscalepd_mask(x, 8, x, static_cast<uint8_t>(-1), 4);
#endif
#if defined(__AVX__)
  if constexpr (kSame<V, Vec<float, 8>>)
    return __builtin_ia32_roundps256(x, 8);
  if constexpr (kSame<V, Vec<double, 4>>)
    return __builtin_ia32_roundpd256(x, 8);
#endif
#if defined(__SSE4_1__)
  if constexpr (kSame<V, Vec<float, 4>>)
    return __builtin_ia32_roundps(x, 8);
  if constexpr (kSame<V, Vec<double, 2>>)
    return __builtin_ia32_roundpd(x, 8);
  if constexpr (kSame<V, float>)
    return __builtin_ia32_roundps(Vec<float, 4>{x}, 8)[0];
#endif
#if defined(__aarch64__)
  if constexpr (kSame<V, Vec<float, 4>>) {
    __asm__("frintn %0.4s, %1.4s" : "=w"(x) : "w"(x));
    return x;
  }
#endif
#if defined(__wasm_simd128__)
  if constexpr (kSame<V, Vec<float, 4>>)
    return __builtin_wasm_nearest_f32x4(x);
  if constexpr (kSame<V, Vec<double, 2>>)
    return __builtin_wasm_nearest_f64x2(x);
  if constexpr (kSame<V, float> || kSame<V, double>)
    return __builtin_elementwise_rint(x);
#endif
#if SINTER_MVE
  if constexpr (kSame<V, FourFloats>)
    return roundEvenFour(x);
#endif
  const V big = splat<V>(kWholeFrom<ElementOf<V>>);
  const V a = abs(x);
  return select(a < big, copySign(V((a + big) - big), x), x);
}
/// To the nearest int32, ties to even (in the caller's rounding mode where the instruction has none of its own), for
/// |x| of at most 2^22. To: int32_t where x is a float, else as many lanes of it.
template <class To, class V>
SINTER_INLINE To nearestInt(V x) {
  static_assert(kSame<ElementOf<To>, int32_t> && kSame<ElementOf<V>, float>, "float to int32");
#if defined(__AVX512F__)
  if constexpr (kSame<V, Vec<float, 16>>)
    return (To)__builtin_ia32_cvtps2dq512_mask(x, To{}, static_cast<uint16_t>(-1), 8);
#endif
#if defined(__AVX__)
  if constexpr (kSame<V, Vec<float, 8>>)
    return (To)__builtin_ia32_cvtps2dq256(x);
#endif
#if defined(__SSE2__)
  if constexpr (kSame<V, Vec<float, 4>>)
    return (To)__builtin_ia32_cvtps2dq(x);
  if constexpr (kSame<V, float>)
    return __builtin_ia32_cvtss2si(Vec<float, 4>{x});
#endif
#if defined(__aarch64__)
  if constexpr (kSame<V, Vec<float, 4>>) {
    To nearest;
    __asm__("fcvtns %0.4s, %1.4s" : "=w"(nearest) : "w"(x));
    return nearest;
  }
#endif
#if defined(__wasm_simd128__)
  // Engines saturate in many instructions; this is the number's own place in the last bits.
  if constexpr (kSame<V, Vec<float, 4>>) {
    const float magic = 0x1.8p23f;
    return bitCast<To>(x + magic) - bitCast<int32_t>(magic);
  }
#endif
#if defined(__riscv_vector) && defined(__clang__)
  if constexpr (kLanesOf<V> > 1) // one instruction, which rounds as it converts
    return rawConvert<To>(__builtin_elementwise_rint(x));
#endif
#if defined(__riscv_flen)
  if constexpr (kSame<V, float>) {
    To nearest;
    __asm__("fcvt.w.s %0, %1, rne" : "=r"(nearest) : "f"(x));
    return nearest;
  }
#endif
  return rawConvert<To>(roundEven(x));
}
template <class V>
SINTER_INLINE V floor(V x) {
  const V r = roundEven(x);
  return copySign(select(r > x, V(r - ElementOf<V>(1)), r), x);
}
template <class V>
SINTER_INLINE V ceil(V x) {
  const V r = roundEven(x);
  return copySign(select(r < x, V(r + ElementOf<V>(1)), r), x);
}
template <class V>
SINTER_INLINE V trunc(V x) {
  const V a = abs(x);
  const V r = roundEven(a);
  return copySign(select(r > a, V(r - ElementOf<V>(1)), r), x);
}
/// To nearest, ties away from zero.
template <class V>
SINTER_INLINE V round(V x) {
  const V a = abs(x);
  const V r = trunc(a);
  return copySign(select(a - r >= splat<V>(ElementOf<V>(0.5)), V(r + ElementOf<V>(1)), r), x);
}
/// A whole number next to n / 2, for whole n that are small: 2^n in two factors.
template <class V>
SINTER_INLINE V nearHalf(V n) {
  const V magic = splat<V>(ElementOf<V>(1.5) * kWholeFrom<ElementOf<V>>);
  return (n * ElementOf<V>(0.5) + magic) - magic;
}

template <class V>
SINTER_INLINE auto isNan(V x) {
  return x != x;
}
template <class V>
SINTER_INLINE auto isInf(V x) {
  return abs(x) == splat<V>(ElementOf<V>(kSame<ElementOf<V>, float> ? float(SINTER_INFINITY) : SINTER_INFINITY));
}
template <class V>
SINTER_INLINE V sign(V x) {
  const V one = splat<V>(ElementOf<V>(1));
  const V positive = select(x > V{}, one, V{});
  if constexpr (kIsFloat<V>)
    return select(x == x, select(x < V{}, V(-one), positive), x);
  else if constexpr (kIsSigned<V>)
    return select(x < V{}, V(V{} - one), positive);
  else
    return positive;
}

#if defined(__CUDA_ARCH__)
SINTER_INLINE float sqrtLane(float x) {
  float r;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
SINTER_INLINE double sqrtLane(double x) {
  double r;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(x));
  return r;
}
#elif defined(__aarch64__)
#define SINTER_SQRT_ASM(T, form)                                                                                       \
  SINTER_INLINE T sqrtLane(T x) {                                                                                      \
    T r;                                                                                                               \
    __asm__("fsqrt " form : "=w"(r) : "w"(x));                                                                         \
    return r;                                                                                                          \
  }
SINTER_SQRT_ASM(float, "%s0, %s1")
SINTER_SQRT_ASM(double, "%d0, %d1")
#undef SINTER_SQRT_ASM
#elif defined(__SSE2__) && defined(__clang__) && __clang_major__ >= 17 // 22 has no others
SINTER_INLINE float sqrtLane(float x) { return __builtin_elementwise_sqrt(x); }
SINTER_INLINE double sqrtLane(double x) { return __builtin_elementwise_sqrt(x); }
#elif defined(__wasm__)
SINTER_INLINE float sqrtLane(float x) { return __builtin_elementwise_sqrt(x); }
SINTER_INLINE double sqrtLane(double x) { return __builtin_elementwise_sqrt(x); }
#elif defined(__SSE2__)
SINTER_INLINE float sqrtLane(float x) { return __builtin_ia32_sqrtss(Vec<float, 4>{x})[0]; }
SINTER_INLINE double sqrtLane(double x) { return __builtin_ia32_sqrtsd(Vec<double, 2>{x})[0]; }
#else
/// Bit by bit, to nearest even: cores without a square root, and those whose compiler would call libm for errno.
template <class F, class U, int kMantissa, int kBias>
SINTER_INLINE F sqrtByBits(F x) {
  if (!(x > F(0)))
    return x == F(0) || x != x ? x : (x - x) / (x - x);
  if (x - x != F(0))
    return x;
  const U bits = bitCast<U>(x);
  int exponent = int(bits >> kMantissa);
  U m = bits & ((U(1) << kMantissa) - 1);
  if (exponent == 0)
    for (exponent = 1; !(m >> kMantissa); m <<= 1)
      --exponent;
  m |= U(1) << kMantissa;
  exponent -= kBias;
  if (exponent & 1) {
    m <<= 1;
    --exponent;
  }
  U root = 0, sum = 0;
  m <<= 1;
  for (U bit = U(1) << (kMantissa + 1); bit; bit >>= 1) {
    if (const U t = sum + bit; t <= m) {
      sum = t + bit;
      m -= t;
      root += bit;
    }
    m <<= 1;
  }
  if (m)
    root += root & 1;
  return bitCast<F>(U((root >> 1) + (U(exponent / 2 + kBias - 1) << kMantissa)));
}
SINTER_INLINE float sqrtLane(float x) {
#if defined(__ARM_FP) && (__ARM_FP & 4)
  float r;
  __asm__("vsqrt.f32 %0, %1" : "=t"(r) : "t"(x));
  return r;
#elif defined(__riscv_f)
  float r;
  __asm__("fsqrt.s %0, %1" : "=f"(r) : "f"(x));
  return r;
#else
  return sqrtByBits<float, uint32_t, 23, 127>(x);
#endif
}
SINTER_INLINE double sqrtLane(double x) {
#if defined(__ARM_FP) && (__ARM_FP & 8)
  double r;
  __asm__("vsqrt.f64 %P0, %P1" : "=w"(r) : "w"(x));
  return r;
#elif defined(__riscv_d)
  double r;
  __asm__("fsqrt.d %0, %1" : "=f"(r) : "f"(x));
  return r;
#else
  return sqrtByBits<double, uint64_t, 52, 1023>(x);
#endif
}
#endif

/// Correctly rounded.
template <class V>
SINTER_INLINE V sqrt(V x) {
#if defined(__aarch64__)
  if constexpr (kSame<V, Vec<float, 4>>) {
    V r;
    __asm__("fsqrt %0.4s, %1.4s" : "=w"(r) : "w"(x));
    return r;
  } else if constexpr (kSame<V, Vec<double, 2>>) {
    V r;
    __asm__("fsqrt %0.2d, %1.2d" : "=w"(r) : "w"(x));
    return r;
  } else
#elif defined(__wasm_simd128__)
  if constexpr (sizeof(V) == 16)
    return __builtin_elementwise_sqrt(x);
  else
#elif defined(__SSE2__) && defined(__clang__) && __clang_major__ >= 17
  if constexpr (kLanesOf<V> > 1)
    return __builtin_elementwise_sqrt(x);
  else
#elif defined(__SSE2__)
  if constexpr (kSame<V, Vec<float, 4>>)
    return __builtin_ia32_sqrtps(x);
  else if constexpr (kSame<V, Vec<double, 2>>)
    return __builtin_ia32_sqrtpd(x);
  else
#if defined(__AVX__)
      if constexpr (kSame<V, Vec<float, 8>>)
    return __builtin_ia32_sqrtps256(x);
  else if constexpr (kSame<V, Vec<double, 4>>)
    return __builtin_ia32_sqrtpd256(x);
  else
#endif
#if defined(__AVX512F__) && defined(__clang__)
      if constexpr (kSame<V, Vec<float, 16>>)
    return __builtin_ia32_sqrtps512(x, 4);
  else if constexpr (kSame<V, Vec<double, 8>>)
    return __builtin_ia32_sqrtpd512(x, 4);
  else
#elif defined(__AVX512F__)
      if constexpr (kSame<V, Vec<float, 16>>)
    return __builtin_ia32_sqrtps512_mask(x, x, static_cast<uint16_t>(-1), 4);
  else if constexpr (kSame<V, Vec<double, 8>>)
    return __builtin_ia32_sqrtpd512_mask(x, x, static_cast<uint8_t>(-1), 4);
  else
#endif
#endif
    return eachLane(x, [](auto lane) { return sqrtLane(lane); });
}
/// 1 / sqrt(x): at most 1.5 ULP.
template <class V>
SINTER_INLINE V rsqrt(V x) {
  return ElementOf<V>(1) / sqrt(x);
}
template <class V>
SINTER_INLINE V reciprocal(V x) {
  return ElementOf<V>(1) / x;
}

/// C's fmod, exact: what is left of a after whole multiples of b, with the sign of a.
template <class F>
SINTER_INLINE F fmodLane(F a, F b) {
  using U = UnsignedOf<F>;
  constexpr int mantissa = sizeof(F) == 4 ? 23 : 52;
  if (b == F(0) || a - a != F(0) || b != b)
    return (a * b) / (a * b);
  const F absB = abs(b);
  F rest = abs(a);
  if (absB > rest)
    return a;
  // Long division on the significands, one bit of the exponents' difference at a time.
  const auto split = [](F x, U *m) {
    const U bits = bitCast<U>(x);
    int e = int(bits >> mantissa);
    *m = bits & ((U(1) << mantissa) - 1);
    if (e == 0)
      e = 1;
    else
      *m |= U(1) << mantissa;
    return e;
  };
  U m = 0, d = 0;
  int e = split(rest, &m);
  const int eb = split(absB, &d);
  for (; e > eb; --e)
    m = (m % d) << 1;
  m %= d;
  if (m == 0)
    return copySign(F(0), a);
  while (!(m >> mantissa) && e > 1) {
    m <<= 1;
    --e;
  }
  U bits = m;
  if (m >> mantissa)
    bits = (m & ((U(1) << mantissa) - 1)) | (U(e) << mantissa);
  return copySign(bitCast<F>(bits), a);
}
/// The same of floats by division of doubles, which is exact where the quotient has fewer than 29 bits; false where one
/// has more, or there is none.
template <class V>
SINTER_INLINE bool fmodByDoubles(V a, V b, V *rest) {
  constexpr int lanes = kLanesOf<V>;
  if constexpr (lanes <= kLanes<double>) {
    using D = Like<V, double>;
    const D x = rawConvert<D>(a), y = rawConvert<D>(b), quotient = trunc(D(x / y));
    const D one = splat<D>(1.0), many = select(abs(quotient) < splat<D>(0x1p28), D{}, one);
    *rest = rawConvert<V>(copySign(D(x - quotient * y), x));
    return sum(D(many + select(abs(y) < splat<D>(SINTER_INFINITY), D{}, one))) == 0.0;
  } else {
    Vec<ElementOf<V>, lanes / 2> as[2], bs[2], rests[2];
    SINTER_COPY(&as, &a, sizeof(a));
    SINTER_COPY(&bs, &b, sizeof(b));
    const bool low = fmodByDoubles(as[0], bs[0], &rests[0]), high = fmodByDoubles(as[1], bs[1], &rests[1]);
    SINTER_COPY(rest, &rests, sizeof(a));
    return low && high;
  }
}
/// The same of doubles, where a product and a difference are rounded together. The quotient, rounded, is the whole
/// number that is wanted or the next one: a rest below zero lacks one divisor.
#if SINTER_HAS_FMA && !defined(__wasm_relaxed_simd__)
[[maybe_unused]] constexpr bool kHasExactFma = true;
#else
[[maybe_unused]] constexpr bool kHasExactFma = false;
#endif
template <class V>
SINTER_INLINE bool fmodByFma(V a, V b, V *rest) {
  const V x = abs(a), y = abs(b), quotient = trunc(V(x / y)), one = splat<V>(1.0);
  const V many = select(quotient < splat<V>(0x1p52), V{}, one), left = fma(V(-quotient), y, x);
  *rest = copySign(select(left < V{}, V(left + y), left), a);
  return sum(V(many + select(y < splat<V>(SINTER_INFINITY), V{}, one))) == 0.0;
}
template <class V>
SINTER_INLINE V fmod(V a, V b) {
  if constexpr (kLanesOf<V> == 1) {
    return fmodLane(a, b);
  } else {
    if constexpr (kSame<ElementOf<V>, double> && kHasExactFma && kLanesOf<V> <= kLanes<double>) {
      V rest{};
      if (fmodByFma(a, b, &rest))
        return rest;
    }
    if constexpr (kSame<ElementOf<V>, float> && (kLanes<double> > 1)) {
      V rest{};
      if (fmodByDoubles(a, b, &rest))
        return rest;
    }
    for (int i = 0; i < kLanesOf<V>; ++i)
      a[i] = fmodLane(ElementOf<V>(a[i]), ElementOf<V>(b[i]));
    return a;
  }
}

} // namespace
} // namespace sinter
