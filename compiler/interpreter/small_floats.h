// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float formats below f32 by one rule: decode to the exact double, encode from a double with a single rounding to
// nearest even. Slow but obviously right for every format; convert.cpp has faster ways for the frequent ones.
#pragma once

#include <cmath>
#include <cstdint>

namespace sinter {

/// Overflow becomes infinity where the format has one, else NaN (as arith.truncf and llvm::APFloat have it).
template <int ExponentBits, int MantissaBits, int Bias, bool HasInfinity, bool NegativeZeroIsNan>
struct FloatFormat {
  static constexpr uint32_t signBit = 1u << (ExponentBits + MantissaBits);
  static constexpr uint32_t exponentMask = (1u << ExponentBits) - 1;
  static constexpr uint32_t mantissaMask = (1u << MantissaBits) - 1;
  static constexpr int minExponent = 1 - Bias;
  static constexpr uint32_t infinity = exponentMask << MantissaBits;
  static constexpr uint32_t nan = NegativeZeroIsNan ? signBit
                                  : HasInfinity     ? infinity | (1u << (MantissaBits - 1))
                                                    : infinity | mantissaMask;
  static constexpr uint32_t maxFinite = HasInfinity         ? infinity - 1
                                        : NegativeZeroIsNan ? infinity | mantissaMask
                                                            : (infinity | mantissaMask) - 1;

  static double decode(uint32_t bits) {
    uint32_t magnitude = bits & (signBit - 1);
    bool negative = bits & signBit;
    if (NegativeZeroIsNan ? bits == nan : magnitude > (HasInfinity ? infinity : maxFinite))
      return std::nan("");
    if (HasInfinity && magnitude == infinity)
      return negative ? -HUGE_VAL : HUGE_VAL;
    uint32_t exponent = magnitude >> MantissaBits;
    uint32_t mantissa = magnitude & mantissaMask;
    double value = exponent
                       ? std::ldexp(mantissa | (mantissaMask + 1), static_cast<int>(exponent) - Bias - MantissaBits)
                       : std::ldexp(mantissa, minExponent - MantissaBits);
    return negative ? -value : value;
  }

  static uint32_t encode(double value) {
    if (std::isnan(value))
      return nan | (std::signbit(value) && !NegativeZeroIsNan ? signBit : 0);
    uint32_t sign = std::signbit(value) ? signBit : 0;
    double magnitude = std::fabs(value);
    uint32_t overflow = HasInfinity ? sign | infinity : NegativeZeroIsNan ? nan : sign | nan;
    if (std::isinf(magnitude))
      return overflow;
    int exponent = magnitude == 0 ? minExponent : std::ilogb(magnitude);
    if (exponent < minExponent)
      exponent = minExponent;
    if (exponent > minExponent + static_cast<int>(exponentMask))
      return overflow;
    // the quotient by the last place is exact, so this is the only rounding; a carry moves into the exponent by itself
    double places = std::nearbyint(std::ldexp(magnitude, MantissaBits - exponent));
    uint32_t bits = (static_cast<uint32_t>(exponent - minExponent) << MantissaBits) + static_cast<uint32_t>(places);
    if (bits > maxFinite)
      return overflow;
    if (NegativeZeroIsNan && bits == 0)
      return 0;
    return sign | bits;
  }
};

using F16Format = FloatFormat<5, 10, 15, true, false>;
using BF16Format = FloatFormat<8, 7, 127, true, false>;
using F8E4M3FNFormat = FloatFormat<4, 3, 7, false, false>;
using F8E4M3FNUZFormat = FloatFormat<4, 3, 8, false, true>;
using F8E5M2Format = FloatFormat<5, 2, 15, true, false>;
using F8E5M2FNUZFormat = FloatFormat<5, 2, 16, false, true>;

} // namespace sinter
