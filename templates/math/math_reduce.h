// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x modulo pi / 2 for the trigonometric functions, exact enough for every double: by three short constants where x is
// small, by the bits of 2 / pi that matter (Payne and Hanek) where it is large.
#pragma once

#include "templates/math/math_poly.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// x = (4 k + quadrant) pi / 2 + r, |r| <= pi / 4 and a little.
template <class V>
struct Quadrant {
  V r;
  UnsignedOf<V> quadrant;
};

/// Any finite double from 2^10 on.
SINTER_FUNCTION Quadrant<double> reduceLarge(double x) {
  // 2 / pi, 32 bits each.
  static constexpr uint32_t kTwoOverPi[] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
      0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u,
      0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
      0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu,
      0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du};
  constexpr int kWords = 7;
  const uint64_t bits = bitCast<uint64_t>(abs(x));
  const int exponent = int(bits >> 52) - 1075; // |x| = m 2^exponent
  const uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  // Words whose product with x is a multiple of 4 are left out.
  const int first = exponent >= 2 ? (exponent - 2) / 32 : 0;
  const uint64_t factor[2] = {m & 0xffffffffu, m >> 32};
  uint32_t product[kWords + 2] = {};
  for (int j = 0; j < 2; ++j) {
    uint64_t carry = 0;
    for (int i = 0; i < kWords; ++i) {
      const uint64_t t = factor[j] * kTwoOverPi[first + kWords - 1 - i] + product[i + j] + carry;
      product[i + j] = uint32_t(t);
      carry = t >> 32;
    }
    product[kWords + j] = uint32_t(carry);
  }
  // x 2 / pi = product / 2^point. 64 bits of it from a position on:
  const int point = 32 * (first + kWords) - exponent;
  const auto window = [&](int position) {
    uint64_t w = 0;
    for (int i = 0; i < 3; ++i) {
      const int at = position / 32 + i;
      const uint64_t word = at < kWords + 2 ? product[at] : 0;
      const int shift = 32 * i - position % 32;
      w |= shift >= 0 ? word << shift : word >> -shift;
      if (shift >= 32)
        break;
    }
    return w;
  };
  const uint64_t high = window(point - 64), low = window(point - 128);
  const uint64_t whole = window(point) & 3;
  // The fraction as a signed number rounds to the nearest quadrant.
  const double fraction = double(int64_t(high)) * 0x1p-64 + double(low) * 0x1p-128;
  const uint64_t q = whole + (high >> 63);
  const double r = fraction * 0x1.921fb54442d18p0;
  return x < 0.0 ? Quadrant<double>{-r, (0 - q) & 3} : Quadrant<double>{r, q & 3};
}

/// On doubles, one lane or many: three constants of which the first two are so short that n times them is exact up to
/// |x| = 2^20.
template <class V>
SINTER_INLINE Quadrant<V> reduceDouble(V x) {
  using U = UnsignedOf<V>;
  const V n = roundEven(V(x * 0x1.45f306dc9c883p-1));
  V r = fma(n, splat<V>(-0x1.921fb544p0), x);
  r = fma(n, splat<V>(-0x1.0b4611a6p-34), r);
  // The sum's last bits are those of n.
  Quadrant<V> result{fma(n, splat<V>(-0x1.3198a2e037073p-69), r), U(bitCast<U>(V(n + 0x1.8p52)) & 3u)};
  if (!(maxOf(abs(x)) < 0x1p20)) {
    // Rare: lane by lane.
    const auto lane = [](double value) {
      return value - value == 0.0 ? reduceLarge(value) : Quadrant<double>{value - value, 0};
    };
    if constexpr (kLanesOf<V> == 1) {
      return lane(x);
    } else {
      for (int i = 0; i < kLanesOf<V>; ++i)
        if (!(abs(double(x[i])) < 0x1p20)) {
          const Quadrant<double> q = lane(x[i]);
          result.r[i] = q.r;
          result.quadrant[i] = q.quadrant;
        }
    }
  }
  return result;
}

/// Where floats are too large for theirs: once in a program, not in each function.
SINTER_FUNCTION Quadrant<double> reduceLargeFloat(float x) { return reduceDouble(double(x)); }

/// On floats: four constants of which the first three are so short that n times them is exact up to |x| = 8192.
template <class V>
SINTER_INLINE Quadrant<V> reduceFloat(V x) {
  using U = UnsignedOf<V>;
  const V magic = splat<V>(0x1.8p23f);
  const V shifted = fma(x, splat<V>(0x1.45f306p-1f), magic);
  const V n = shifted - magic;
  V r = fma(n, splat<V>(-0x1.92p0f), x);
  r = fma(n, splat<V>(-0x1.fb4p-12f), r);
  r = fma(n, splat<V>(-0x1.444p-24f), r);
  Quadrant<V> result{fma(n, splat<V>(-0x1.68c234p-39f), r), U(bitCast<U>(shifted) & 3u)};
  if (!(maxOf(abs(x)) <= 8192.0f)) {
    // Rare: lane by lane through double.
    const auto lane = [](float value) {
      return abs(value) > 8192.0f || value != value ? reduceLargeFloat(value) : Quadrant<double>{0.0, 4};
    };
    if constexpr (kLanesOf<V> == 1) {
      const Quadrant<double> q = lane(x);
      return {float(q.r), uint32_t(q.quadrant)};
    } else {
      for (int i = 0; i < kLanesOf<V>; ++i)
        if (const Quadrant<double> q = lane(x[i]); q.quadrant < 4) {
          result.r[i] = float(q.r);
          result.quadrant[i] = uint32_t(q.quadrant);
        }
    }
  }
  return result;
}

} // namespace
} // namespace sinter
