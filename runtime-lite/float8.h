// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small floats of ONNX: E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, E8M0 and E2M1, held one to a byte; to float, exact, and
// back by the table of ONNX's Cast. Lane by lane: models only store in these types.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// What the codes at the end of the range mean: infinity and NaNs; one NaN (all ones); one NaN (minus zero); numbers.
enum class SmallEnd { Ieee, OneNan, MinusZeroNan, Numbers };

template <int kExponentBits, int kMantissaBits, int kBiasOf, SmallEnd kEndOf>
struct SmallFloat {
  static constexpr int mantissa = kMantissaBits, bias = kBiasOf, sign = 1 << (kExponentBits + kMantissaBits);
  static constexpr SmallEnd end = kEndOf;
  /// The largest finite number's code.
  static constexpr int greatest = kEndOf == SmallEnd::Ieee     ? sign - (1 << kMantissaBits) - 1
                                  : kEndOf == SmallEnd::OneNan ? sign - 2
                                                               : sign - 1;
};
using F8E4M3FN = SmallFloat<4, 3, 7, SmallEnd::OneNan>;
using F8E4M3FNUZ = SmallFloat<4, 3, 8, SmallEnd::MinusZeroNan>;
using F8E5M2 = SmallFloat<5, 2, 15, SmallEnd::Ieee>;
using F8E5M2FNUZ = SmallFloat<5, 2, 16, SmallEnd::MinusZeroNan>;
using F4E2M1 = SmallFloat<2, 1, 1, SmallEnd::Numbers>;
/// A power of two, or NaN.
struct F8E8M0 {};

/// 2^n for -149 <= n <= 127.
SINTER_INLINE float powerOfTwo(int n) {
  return bitCast<float>(n >= -126 ? uint32_t(n + 127) << 23 : uint32_t(1) << (n + 149));
}

template <class F>
SINTER_INLINE float smallToFloatLane(uint8_t code) {
  if constexpr (kSame<F, F8E8M0>) {
    return code == 255 ? float(SINTER_NAN) : powerOfTwo(int(code) - 127);
  } else {
    const int magnitude = code & (F::sign - 1);
    const bool negative = (code & F::sign) != 0;
    float value = 0.0f;
    if (F::end == SmallEnd::MinusZeroNan && code == F::sign)
      return float(SINTER_NAN);
    if (magnitude > F::greatest) {
      const bool infinite = F::end == SmallEnd::Ieee && magnitude == F::greatest + 1;
      value = infinite ? float(SINTER_INFINITY) : float(SINTER_NAN);
    } else {
      const int exponent = magnitude >> F::mantissa, fraction = magnitude & ((1 << F::mantissa) - 1);
      // Subnormals share the exponent of the smallest normal numbers.
      value = exponent == 0 ? float(fraction) * powerOfTwo(1 - F::bias - F::mantissa)
                            : float(fraction + (1 << F::mantissa)) * powerOfTwo(exponent - F::bias - F::mantissa);
    }
    return negative ? -value : value;
  }
}

/// Which power of two a number becomes that lies between two: ONNX's round_mode.
enum class E8M0Round { Up, Down, Nearest };
SINTER_INLINE uint8_t floatToE8M0(float x, bool saturate, E8M0Round round) {
  if (x != x)
    return 255;
  uint32_t bits = bitCast<uint32_t>(x) & 0x7fffffffu;
  if (bits == 0)
    return saturate ? 0 : 255;
  if (bits >= 0x7f800000u)
    return saturate ? 254 : 255;
  int exponent = int(bits >> 23) - 127;
  if (exponent == -127)
    for (exponent = -126; !(bits & 0x00800000u); bits <<= 1)
      --exponent;
  const uint32_t fraction = bits & 0x007fffffu;
  exponent += round == E8M0Round::Up ? fraction != 0 : round == E8M0Round::Nearest ? fraction >= 0x00400000u : 0;
  if (exponent > 127)
    return saturate ? 254 : 255;
  if (exponent < -127)
    return saturate ? 0 : 255;
  return uint8_t(exponent + 127);
}

/// To nearest even. Beyond the range: the largest number where `saturate`, else infinity or NaN, whichever the type
/// has.
template <class F>
SINTER_INLINE uint8_t floatToSmallLane(float x, bool saturate) {
  const uint32_t bits = bitCast<uint32_t>(x);
  const int sign = bits >> 31 ? F::sign : 0;
  constexpr bool oneZero = F::end == SmallEnd::MinusZeroNan;
  constexpr int nan = F::end == SmallEnd::Ieee     ? F::greatest + 2
                      : F::end == SmallEnd::OneNan ? F::greatest + 1
                                                   : F::sign;
  if (x != x)
    return uint8_t(oneZero ? nan : nan ^ sign);
  const float a = bitCast<float>(bits & 0x7fffffffu);
  int code = F::greatest + 1;
  if (a < 0x1p20f) {
    // Adding and taking away a power of two rounds at the last place that the type has here.
    constexpr int least = 1 - F::bias;
    const int own = int((bits >> 23) & 255u) - 127;
    const int exponent = own > least ? own : least;
    const float magic = powerOfTwo(exponent - F::mantissa + 23);
    const float rounded = (a + magic) - magic;
    const int steps = int(rounded * powerOfTwo(F::mantissa - exponent)); // of the last place; carries into the exponent
    code = steps + ((exponent - least) << F::mantissa);
  }
  if (code > F::greatest) {
    if (saturate || F::end == SmallEnd::Numbers)
      code = F::greatest;
    else if (oneZero)
      return uint8_t(nan);
    else
      code = F::greatest + 1; // infinity, or the NaN that follows the largest number
  }
  if (oneZero && code == 0)
    return 0;
  return uint8_t(code | sign);
}

template <class F, class V>
SINTER_INLINE V smallToFloat(Like<V, uint8_t> codes) {
  if constexpr (kLanesOf<V> == 1) {
    return smallToFloatLane<F>(codes);
  } else {
    V v{};
    for (int i = 0; i < kLanesOf<V>; ++i)
      v[i] = smallToFloatLane<F>(codes[i]);
    return v;
  }
}
template <class F, class V>
SINTER_INLINE Like<V, uint8_t> floatToSmall(V x, bool saturate) {
  if constexpr (kLanesOf<V> == 1) {
    return floatToSmallLane<F>(x, saturate);
  } else {
    Like<V, uint8_t> codes{};
    for (int i = 0; i < kLanesOf<V>; ++i)
      codes[i] = floatToSmallLane<F>(x[i], saturate);
    return codes;
  }
}

} // namespace
} // namespace sinter
