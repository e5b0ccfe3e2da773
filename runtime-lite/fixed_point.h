// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplication by a real factor in integers, for cores without an FPU: rescale. The pass requantize-fixed
// (compiler/passes/requantize_fixed.cpp) puts it where the float form of a quantized net multiplies and rounds.
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

} // namespace
} // namespace sinter
