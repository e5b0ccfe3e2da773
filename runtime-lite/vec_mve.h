// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four lanes of 32 bits on Cortex-M55 (Helium). Its compilers take apart, lane by lane, what there are instructions
// for: conversions, loads that widen, stores that narrow, comparisons of floats. vec.h, convert.h and fma.h come here
// for these; the rest of Vec<.., 4> is the compiler's. Natural vectors stay of one lane (kLanes): kernels that gain by
// four say so.
#pragma once

#include "runtime-lite/vec_type.h"

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#define SINTER_MVE 1
// The end of a list of clobbers, where comparisons or vctp write their register. clang has no name for it.
#if defined(__clang__)
#define SINTER_AND_P0
#else
#define SINTER_AND_P0 , "p0"
#endif
#else
#define SINTER_MVE 0
#endif

namespace sinter {
namespace {

/// Lanes of kernels that also gain by four on Helium.
template <class T>
constexpr int kLanesOrFour = SINTER_MVE && sizeof(T) == 4 ? 4 : kLanes<T>;

/// Whether V is four lanes of at most 32 bits, which these functions take.
template <class V>
constexpr bool kIsFour = SINTER_MVE && kLanesOf<V> == 4 && sizeof(ElementOf<V>) <= 4;
template <class V>
constexpr bool kIsWideFour = kIsFour<V> && sizeof(ElementOf<V>) == 4;
template <class Wide, class Narrow>
constexpr bool kAreWideAndNarrow = kIsWideFour<Wide> && kIsFour<Narrow> && !kIsWideFour<Narrow>;

#if defined(SINTER_IS_GNU)
using FourInts = Vec<int32_t, 4>;
using FourFloats = Vec<float, 4>;
#endif

#if SINTER_MVE
/// Integers of 8 or 16 bits at p, extended as their type is.
template <class T>
SINTER_INLINE FourInts loadFour(const T *p) {
  using Elements = T[4];
  const Elements &from = *reinterpret_cast<const Elements *>(p);
  FourInts v;
  if constexpr (sizeof(T) == 1 && kIsSigned<T>)
    __asm__("vldrb.s32 %q0, [%1]" : "=w"(v) : "l"(p), "m"(from));
  else if constexpr (sizeof(T) == 1)
    __asm__("vldrb.u32 %q0, [%1]" : "=w"(v) : "l"(p), "m"(from));
  else if constexpr (kIsSigned<T>)
    __asm__("vldrh.s32 %q0, [%1]" : "=w"(v) : "l"(p), "m"(from));
  else
    __asm__("vldrh.u32 %q0, [%1]" : "=w"(v) : "l"(p), "m"(from));
  return v;
}
/// The low 8 or 16 bits of each lane.
template <class T>
SINTER_INLINE void storeFour(T *p, FourInts v) {
  using Elements = T[4];
  Elements &to = *reinterpret_cast<Elements *>(p);
  if constexpr (sizeof(T) == 1)
    __asm__("vstrb.32 %q1, [%2]" : "=m"(to) : "w"(v), "l"(p));
  else
    __asm__("vstrh.32 %q1, [%2]" : "=m"(to) : "w"(v), "l"(p));
}

/// Integers of 32 bits to floats and, toward zero, back.
template <class To, class From>
SINTER_INLINE To convertFour(From v) {
  To r;
  if constexpr (kIsFloat<To> && kIsSigned<From>)
    __asm__("vcvt.f32.s32 %q0, %q1" : "=w"(r) : "w"(v));
  else if constexpr (kIsFloat<To>)
    __asm__("vcvt.f32.u32 %q0, %q1" : "=w"(r) : "w"(v));
  else if constexpr (kIsSigned<To>)
    __asm__("vcvt.s32.f32 %q0, %q1" : "=w"(r) : "w"(v));
  else
    __asm__("vcvt.u32.f32 %q0, %q1" : "=w"(r) : "w"(v));
  return r;
}

/// a > b ? a : b and a < b ? a : b, lane by lane.
SINTER_INLINE FourFloats firstIfLargerFour(FourFloats a, FourFloats b) {
  FourFloats r;
  __asm__("vcmp.f32 gt, %q1, %q2\n vpsel %q0, %q1, %q2" : "=w"(r) : "w"(a), "w"(b) : "cc" SINTER_AND_P0);
  return r;
}
SINTER_INLINE FourFloats firstIfSmallerFour(FourFloats a, FourFloats b) {
  FourFloats r;
  __asm__("vcmp.f32 lt, %q1, %q2\n vpsel %q0, %q1, %q2" : "=w"(r) : "w"(a), "w"(b) : "cc" SINTER_AND_P0);
  return r;
}
SINTER_INLINE FourInts firstIfLargerFour(FourInts a, FourInts b) {
  __asm__("vmax.s32 %q0, %q1, %q2" : "=w"(a) : "w"(a), "w"(b));
  return a;
}
SINTER_INLINE FourInts firstIfSmallerFour(FourInts a, FourInts b) {
  __asm__("vmin.s32 %q0, %q1, %q2" : "=w"(a) : "w"(a), "w"(b));
  return a;
}
SINTER_INLINE FourFloats roundEvenFour(FourFloats v) {
  __asm__("vrintn.f32 %q0, %q1" : "=w"(v) : "w"(v));
  return v;
}
SINTER_INLINE FourFloats fmaFour(FourFloats a, FourFloats b, FourFloats c) {
  __asm__("vfma.f32 %q0, %q1, %q2" : "+w"(c) : "w"(a), "w"(b));
  return c;
}
#endif

} // namespace
} // namespace sinter
