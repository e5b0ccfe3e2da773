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

/// Distances in 512 steps, each an eighth.
SINTER_INLINE uint32_t coarseOf(uint32_t distance) { return distance >> (kDistanceBits - 3); }

/// 2^-(i / 64), 31 bits behind the point.
constexpr uint32_t kRoots[64] = {
    0x80000000, 0x7e9f0606, 0x7d41d96e, 0x7be86fba, 0x7a92be8b, 0x7940bb9e, 0x77f25cce, 0x76a7980f,
    0x75606374, 0x741cb528, 0x72dc8374, 0x719fc4b9, 0x70666f76, 0x6f307a41, 0x6dfddbcc, 0x6cce8ae1,
    0x6ba27e65, 0x6a79ad56, 0x69540ec9, 0x683199ed, 0x6712460b, 0x65f60a7f, 0x64dcdec3, 0x63c6ba64,
    0x62b39509, 0x61a3666d, 0x60962665, 0x5f8bccdb, 0x5e8451d0, 0x5d7fad59, 0x5c7dd7a4, 0x5b7ec8f2,
    0x5a82799a, 0x5988e209, 0x5891fac1, 0x579dbc57, 0x56ac1f75, 0x55bd1cdb, 0x54d0ad5a, 0x53e6c9da,
    0x52ff6b55, 0x521a8ad7, 0x51382182, 0x50582888, 0x4f7a9930, 0x4e9f6cd4, 0x4dc69cdd, 0x4cf022ca,
    0x4c1bf829, 0x4b4a169c, 0x4a7a77d4, 0x49ad1598, 0x48e1e9ba, 0x4818ee22, 0x47521cc6, 0x468d6fae,
    0x45cae0f2, 0x450a6abb, 0x444c0740, 0x438fb0cb, 0x42d561b4, 0x421d1462, 0x4166c34c, 0x40b268fa,
};

/// exp(-distance), at most 2^-28 of itself and 2^-40 off: a power of two, a root of it from the table, and the rest by
/// a minimax polynomial of ours.
SINTER_INLINE uint64_t weightOf(uint32_t distance) {
  const uint64_t exponent = uint64_t(distance) * 0xb8aa3b29u; // times log2(e), 57 bits behind the point
  const uint64_t rest = (exponent >> 19) & 0xffffffffu;       // of a 64th, 32 bits
  uint64_t p = 0x3d7f5 - ((0x388 * rest) >> 32);
  p = 0x2c5c85f - ((p * rest) >> 32);
  p = 0x100000000 - ((p * rest) >> 32);
  const uint64_t root = (p * kRoots[(exponent >> 51) & 63]) >> 32; // 31 bits
  const uint64_t whole = exponent >> 57;
  return whole <= kWeightBits ? (root << (kWeightBits - 31)) >> whole : 0;
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
