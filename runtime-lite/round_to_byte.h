// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A float to a byte as QuantizeLinear has it: the nearest whole number (ties to even), plus the zero point, limited to
// the byte; NaN counts as 0. Four instructions on Cortex-M4, M7 and M33: see the pass round-to-integers.
#pragma once

#include "runtime-lite/scalar.h"

namespace sinter {
namespace {

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_FP) && !defined(__aarch64__)
/// Saturated; in the mode that the FPU is in, which is to nearest.
SINTER_INLINE int32_t nearestPlus(float x, int32_t zero) {
  float whole;
  int32_t bits, sum;
  __asm__("vcvtr.s32.f32 %0, %1" : "=t"(whole) : "t"(x));
  SINTER_COPY(&bits, &whole, sizeof bits);
  __asm__("qadd %0, %1, %2" : "=r"(sum) : "r"(bits), "r"(zero));
  return sum;
}
#else
SINTER_INLINE int32_t nearestPlus(float x, int32_t zero) {
  const float far = 0x1p22f; // where every float is whole, and no byte is near
  const float near = x == x ? (x > -far ? (x < far ? x : far) : -far) : 0;
  const float magic = 0x1.8p23f;
  return int32_t((near + magic) - magic) + zero;
}
#endif

/// -128 .. 127 for a zero point in that range.
SINTER_INLINE int32_t roundToInt8(float x, int32_t zero) {
  const int32_t sum = nearestPlus(x, zero);
  return sum > -128 ? (sum < 127 ? sum : 127) : -128;
}
/// 0 .. 255 for a zero point in that range.
SINTER_INLINE int32_t roundToUint8(float x, int32_t zero) {
  const int32_t sum = nearestPlus(x, zero);
  return sum > 0 ? (sum < 255 ? sum : 255) : 0;
}

} // namespace
} // namespace sinter
