// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplication by a real factor in integers, for cores without an FPU: rescale; and bytes made of sums: shiftToInt8.
// The compiler's pass requantize-fixed puts it where the float form of a quantized net
// multiplies and rounds.
//
// The factor is m / 2^s with 0 <= m < 2^31 and 33 <= s <= 62, and the result is x * m / 2^s exactly, rounded to
// nearest, halves up, for every x. The float form, roundEven(float(x) * f), rounds float(x) and the product to 24 bits
// first. So where m has b bits, the two differ only if p = x * f lies within |p| * (2^-23 + 2^-b) of a half, and then
// by one step: |p| < 512 and b >= 24 make that 2^-13, one value in 4096 at most.
#pragma once

#include "runtime-lite/scalar.h"

namespace sinter {
namespace {

/// For cores that multiply into 64 bits, and vectors.
template <class V, class S>
SINTER_INLINE V rescaleLong(V x, V m, S s) {
  using W = Like<V, int64_t>;
  using L = Like<S, int64_t>;
  const L shift = rawConvert<L>(s), half = (L)((L{} + 1) << (shift - 1));
  return rawConvert<V>((W)((rawConvert<W>(x) * rawConvert<W>(m) + half) >> shift));
}

/// The same from products of 16 bits by 16, for cores that multiply into 32: the high word of x * m, rounded down, then
/// the rest of the shift. Rounding down twice is rounding down once.
SINTER_INLINE int32_t rescaleSplit(int32_t x, int32_t m, int32_t s) {
  const int32_t xh = x >> 16, xl = x & 0xffff, mh = m >> 16, ml = m & 0xffff;
  const int32_t cross = xh * ml + int32_t(uint32_t(xl) * uint32_t(ml) >> 16);
  const int32_t high = xh * mh + (cross >> 16) + ((xl * mh + (cross & 0xffff)) >> 16);
  return (high + (1 << (s - 33))) >> (s - 32);
}

template <class V, class M, class S>
SINTER_INLINE V rescale(V x, M m, S s) {
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
  if constexpr (kLanesOf<V> == 1 && sizeof(V) == sizeof(int32_t))
    return rescaleSplit(x, m, s);
#endif
  if constexpr (kLanesOf<M> < kLanesOf<V>)
    return rescaleLong(x, splat<V>(m), s);
  else
    return rescaleLong(x, m, s);
}

// Shift and limits are one instruction where a core has it. It holds the shift, so there is one for each; generated
// code writes a number, and one is left.
#if defined(__ARM_FEATURE_SAT)
#define SINTER_SHIFTED(op, k)                                                                                          \
  case k:                                                                                                              \
    __asm__(op " %0, #8, %1, asr #" #k : "=r"(result) : "r"(x));                                                       \
    return result;
#define SINTER_SATURATE(op)                                                                                            \
  int32_t result;                                                                                                      \
  switch (s) {                                                                                                         \
    SINTER_SHIFTED(op, 8)                                                                                              \
    SINTER_SHIFTED(op, 9)                                                                                              \
    SINTER_SHIFTED(op, 10)                                                                                             \
    SINTER_SHIFTED(op, 11)                                                                                             \
    SINTER_SHIFTED(op, 12)                                                                                             \
    SINTER_SHIFTED(op, 13)                                                                                             \
    SINTER_SHIFTED(op, 14)                                                                                             \
    SINTER_SHIFTED(op, 15)                                                                                             \
    SINTER_SHIFTED(op, 16)                                                                                             \
    SINTER_SHIFTED(op, 17)                                                                                             \
    SINTER_SHIFTED(op, 18)                                                                                             \
    SINTER_SHIFTED(op, 19)                                                                                             \
    SINTER_SHIFTED(op, 20)                                                                                             \
    SINTER_SHIFTED(op, 21)                                                                                             \
    SINTER_SHIFTED(op, 22)                                                                                             \
    SINTER_SHIFTED(op, 23)                                                                                             \
    SINTER_SHIFTED(op, 24)                                                                                             \
  default:                                                                                                             \
    break;                                                                                                             \
  }
#else
#define SINTER_SATURATE(op)
#endif

/// x >> s, limited to a signed byte and to an unsigned one: where sums of the pass fit-integers end.
template <class V, class S>
SINTER_INLINE V shiftToInt8(V x, S s) {
  if constexpr (kSame<V, int32_t>) {
    SINTER_SATURATE("ssat")
  }
  return min(max(shiftRight(x, s), splat<V>(-128)), splat<V>(127));
}
template <class V, class S>
SINTER_INLINE V shiftToUint8(V x, S s) {
  if constexpr (kSame<V, int32_t>) {
    SINTER_SATURATE("usat")
  }
  return min(max(shiftRight(x, s), splat<V>(0)), splat<V>(ElementOf<V>(255)));
}
#undef SINTER_SATURATE
#undef SINTER_SHIFTED

} // namespace
} // namespace sinter
