// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probabilities as whole numbers. Sums of floats depend on their order, and products on whether a machine fuses them;
// sums of whole numbers depend on neither, so a text comes out equal on every target. Distances from the greatest logit
// have 26 bits behind the point, weights (exp of minus a distance) 40; 2^23 weights of 1 can be added.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

constexpr int kDistanceBits = 26, kWeightBits = 40;

SINTER_INLINE uint32_t bitsOfFloat(float x) {
  uint32_t bits;
  SINTER_COPY(&bits, &x, sizeof(bits));
  return bits;
}
SINTER_INLINE float floatOfBits(uint32_t bits) {
  float x;
  SINTER_COPY(&x, &bits, sizeof(x));
  return x;
}

/// greatest - x, no less than 0 and no more than what 32 bits hold, which is nearly 64.
SINTER_INLINE uint32_t distanceBelow(float greatest, float x) {
  const float far = (greatest - x) * float(1 << kDistanceBits);
  return far < 0x1.fffffep31f ? uint32_t(far) : 0xffffffffu;
}

/// exp(-distance), at most 2^-28 of itself and 2^-40 off. The polynomial is 2^-f on [0, 1), a minimax fit of ours whose
/// error is 2^-34.5; coefficients alternate in sign.
SINTER_INLINE uint64_t weightOf(uint32_t distance) {
  const uint64_t exponent = uint64_t(distance) * 0xb8aa3b29u; // times log2(e), 57 bits behind the point
  const uint64_t f = (exponent >> 25) & 0xffffffffu;
  uint64_t p = 0x9a25f - ((0xb458 * f) >> 32);
  p = 0x56feb8 - ((p * f) >> 32);
  p = 0x2762649 - ((p * f) >> 32);
  p = 0xe35781b - ((p * f) >> 32);
  p = 0x3d7f7a66 - ((p * f) >> 32);
  p = 0xb17217e3 - ((p * f) >> 32);
  p = 0x100000000 - ((p * f) >> 32);
  const uint64_t whole = exponent >> 57;
  return whole <= kWeightBits ? (p << 8) >> whole : 0;
}

/// log2(x / 2^point) with 31 bits behind the point, for x above 0: the binary digits of the logarithm by squaring.
SINTER_FUNCTION int64_t log2Fixed(uint64_t x, int point) {
  int whole = 63;
  for (; !(x >> 63); x <<= 1)
    --whole;
  uint64_t m = x >> 32; // 1 <= m < 2, 31 bits behind the point
  int64_t digits = 0;
  for (int i = 0; i < 31; ++i) {
    m = (m * m) >> 31;
    const uint64_t carry = m >> 32;
    m >>= carry;
    digits = digits * 2 + int64_t(carry);
  }
  return int64_t(whole - point) * (int64_t(1) << 31) + digits;
}
/// ln(x / 2^point), as distances are: 26 bits behind the point.
SINTER_FUNCTION int64_t lnFixed(uint64_t x, int point) {
  const int64_t log2 = log2Fixed(x, point);
  const bool negative = log2 < 0;
  const uint64_t size = uint64_t(negative ? -log2 : log2); // below 2^38
  const uint64_t ln = ((size >> 10) * 0xb17217f8u) >> 27;  // 21 + 32 bits behind the point, of which 26 stay
  return negative ? -int64_t(ln) : int64_t(ln);
}
/// -ln(x) of a float above 0 and at most 1.
SINTER_FUNCTION int64_t minusLn(float x) {
  const uint32_t bits = bitsOfFloat(x);
  const int exponent = int(bits >> 23);
  const uint64_t mantissa = (bits & 0x7fffffu) | (exponent ? 0x800000u : 0u);
  return -lnFixed(mantissa, 150 - (exponent ? exponent : 1));
}

/// The upper half of a product of 64 bits by 64.
SINTER_FUNCTION uint64_t multiplyHigh(uint64_t a, uint64_t b) {
  const uint64_t aLow = a & 0xffffffffu, aHigh = a >> 32, bLow = b & 0xffffffffu, bHigh = b >> 32;
  const uint64_t middle = aHigh * bLow + ((aLow * bLow) >> 32);
  const uint64_t other = aLow * bHigh + (middle & 0xffffffffu);
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}
/// The least whole number that is no less than share * total, for 0 < share <= 1.
SINTER_FUNCTION uint64_t shareOf(float share, uint64_t total) {
  if (share >= 1.0f)
    return total;
  const uint64_t part = uint64_t(double(share) * 0x1p63) * 2;
  return multiplyHigh(part, total) + (part * total != 0 || !part ? 1 : 0);
}

/// What stands between a product and a sum, so that no compiler makes one operation of them: some round once then.
SINTER_INLINE float rounded(float x) {
  volatile float stored = x;
  return stored;
}

} // namespace
} // namespace sinter
