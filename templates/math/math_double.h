// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp and log on double without libm, one lane or many: models rarely compute in double, so they are series rather than
// tables. pow of floats is made of some of them (math_pow.h).
// math_exp.h and math_log.h come here for double lanes.
#pragma once

#include "templates/math/math_poly.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// 2^n for whole -1022 <= n <= 1023.
template <class V>
SINTER_INLINE V exp2WholeDouble(V n) {
  using U = UnsignedOf<V>; // the sum's last bits are those of n
  return bitCast<V>(U((bitCast<U>(V(n + 0x1.8p52)) + 1023) << 52));
}

/// (exp(r) - 1 - r) / r^2 for |r| <= 0.35: the Taylor series. Of what is rounded to float, as much as that needs: an
/// error of 2^-32.
template <bool kIsForFloat = false, class V>
SINTER_INLINE V expTail(V r) {
  if constexpr (kIsForFloat)
    return horner(r, 1 / 40320.0, 1 / 5040.0, 1 / 720.0, 1 / 120.0, 1 / 24.0, 1 / 6.0, 0.5);
  else
    return horner(r, 1 / 87178291200.0, 1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0, 1 / 362880.0,
                  1 / 40320.0, 1 / 5040.0, 1 / 720.0, 1 / 120.0, 1 / 24.0, 1 / 6.0, 0.5);
}
template <class V>
SINTER_INLINE V scaleDouble(V x, V n) {
  const V half = nearHalf(n);
  return x * exp2WholeDouble(half) * exp2WholeDouble(V(n - half));
}

/// x - n log(2).
template <class V>
SINTER_INLINE V remainderOfExp(V x, V n) {
  return fma(n, splat<V>(-0x1.ef35793c7673p-45), fma(n, splat<V>(-0x1.62e42fefa38p-1), x));
}

/// At most 1 ULP.
template <class V>
SINTER_INLINE V expDouble(V x) {
  const V c = clamp(x, splat<V>(-746.0), splat<V>(710.0));
  const V n = roundEven(V(c * 0x1.71547652b82fep0));
  const V r = remainderOfExp(c, n);
  return select(x == x, scaleDouble(V(1.0 + fma(V(r * r), expTail(r), r)), n), x);
}
/// At most 1 ULP.
template <bool kIsForFloat = false, class V>
SINTER_INLINE V exp2Double(V x) {
  const V c = clamp(x, splat<V>(-1076.0), splat<V>(1025.0));
  const V n = roundEven(c);
  const V r = (c - n) * 0x1.62e42fefa39efp-1;
  return select(x == x, scaleDouble(V(fma(V(r * r), expTail<kIsForFloat>(r), r) + 1.0), n), x);
}
/// At most 3 ULP.
template <class V>
SINTER_INLINE V expm1Double(V x) {
  const V c = clamp(x, splat<V>(-40.0), splat<V>(710.0));
  const V n = roundEven(V(c * 0x1.71547652b82fep0));
  const V r = remainderOfExp(c, n);
  const V p = fma(V(r * r), expTail(r), r);
  const V scale = exp2WholeDouble(V(n - 1.0));
  const V result = fma(p, scale, V(scale - 0.5)) * 2.0;
  return select(abs(x) >= splat<V>(0x1p-60), result, x); // NaN too
}
/// At most 4 ULP.
template <class V>
SINTER_INLINE V tanhDouble(V x) {
  const V e = expm1Double(V(noMore(abs(x), splat<V>(20.0)) * 2.0));
  return select(x == x, copySign(V(e / (e + 2.0)), x), x);
}

/// log(1 + f) for |f| < 0.42, as f - f^2/2 + s (f^2/2 + s^2 (2/3 + ...)), s = f / (2 + f); for float with an error of
/// 2^-39.
template <bool kIsForFloat = false, class V>
SINTER_INLINE V logTailDouble(V f) {
  const V s = f / (f + 2.0);
  const V z = s * s;
  V series{};
  if constexpr (kIsForFloat)
    series = z * horner(z, 2 / 13.0, 2 / 11.0, 2 / 9.0, 2 / 7.0, 2 / 5.0, 2 / 3.0);
  else
    series = z * horner(z, 2 / 25.0, 2 / 23.0, 2 / 21.0, 2 / 19.0, 2 / 17.0, 2 / 15.0, 2 / 13.0, 2 / 11.0, 2 / 9.0,
                        2 / 7.0, 2 / 5.0, 2 / 3.0);
  const V half = f * 0.5 * f;
  return s * (half + series) - half;
}
/// x > 0 and finite as (1 + f) 2^n with 1 + f around 1.
template <class V>
SINTER_INLINE V splitDouble(V x, V *n) {
  using U = UnsignedOf<V>;
  const auto subnormal = x < splat<V>(0x1p-1022);
  const U bits = bitCast<U>(select(subnormal, V(x * 0x1p54), x));
  const U k = (bits + (uint64_t(0x3ff00000 - 0x3fe6a09e) << 32)) >> 52;
  // k as the last bits of a double of 2^52 and more.
  *n = bitCast<V>(U(k | (uint64_t(0x433) << 52))) - select(subnormal, splat<V>(0x1p52 + 1077), splat<V>(0x1p52 + 1023));
  return bitCast<V>(U(bits - ((k - 1023) << 52))) - 1.0;
}
/// At most 1 ULP.
template <class V>
SINTER_INLINE V logDouble(V x) {
  V n{};
  const V f = splitDouble(x, &n);
  const V finite = n * 0x1.62e42fefa38p-1 + (f + (logTailDouble(f) + n * 0x1.ef35793c7673p-45));
  const V notPositive = select(x == V{}, splat<V>(-SINTER_INFINITY), select(x < V{}, splat<V>(SINTER_NAN), x));
  const V positive = select(x < splat<V>(SINTER_INFINITY), finite, x);
  return select(x > V{}, positive, notPositive);
}
/// At most 3 ULP.
template <class V>
SINTER_INLINE V log1pDouble(V x) {
  const V u = 1.0 + x, logarithm = logDouble(u), size = abs(x);
  // The rounding error of 1 + x comes back as the first term of the series. A tiny x is its own logarithm.
  const V lost = select(size < splat<V>(1.0), V(x - (u - 1.0)), V(1.0 - (u - x)));
  const V result = select(u > V{}, select(u < splat<V>(SINTER_INFINITY), V(logarithm + lost / u), u), logarithm);
  return select(size < splat<V>(0x1p-54), x, result);
}

} // namespace
} // namespace sinter
