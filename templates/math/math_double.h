// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp and log on double, one lane at a time, without libm. Models rarely compute in double: series rather than tables.
// math_exp.h and math_log.h come here for double lanes.
#pragma once

#include "templates/math/math_poly.h"
#include "templates/math/math_round.h"

namespace sinter {
namespace {

/// 2^n for whole -1022 <= n <= 1023.
SINTER_INLINE double exp2WholeDouble(double n) { return bitCast<double>(uint64_t(int64_t(n) + 1023) << 52); }

/// (exp(r) - 1 - r) / r^2 for |r| <= 0.35: the Taylor series.
SINTER_INLINE double expTail(double r) {
  return horner(r, 1 / 87178291200.0, 1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0, 1 / 362880.0,
                1 / 40320.0, 1 / 5040.0, 1 / 720.0, 1 / 120.0, 1 / 24.0, 1 / 6.0, 0.5);
}
SINTER_INLINE double scaleDouble(double x, double n) {
  const double half = nearHalf(n);
  return x * exp2WholeDouble(half) * exp2WholeDouble(n - half);
}

/// At most 1 ULP.
SINTER_FUNCTION double expDouble(double x) {
  if (x != x)
    return x;
  const double c = clamp(x, -746.0, 710.0);
  const double n = roundEven(c * 0x1.71547652b82fep0);
  const double r = fma(n, -0x1.ef35793c7673p-45, fma(n, -0x1.62e42fefa38p-1, c));
  return scaleDouble(1.0 + fma(r * r, expTail(r), r), n);
}
/// At most 1 ULP.
SINTER_FUNCTION double exp2Double(double x) {
  if (x != x)
    return x;
  const double c = clamp(x, -1076.0, 1025.0);
  const double n = roundEven(c);
  const double f = c - n;
  const double r = f * 0x1.62e42fefa39efp-1;
  return scaleDouble(1.0 + fma(r * r, expTail(r), r), n);
}
/// At most 3 ULP.
SINTER_FUNCTION double expm1Double(double x) {
  if (x != x || abs(x) < 0x1p-60)
    return x;
  const double c = clamp(x, -40.0, 710.0);
  const double n = roundEven(c * 0x1.71547652b82fep0);
  const double r = fma(n, -0x1.ef35793c7673p-45, fma(n, -0x1.62e42fefa38p-1, c));
  const double p = fma(r * r, expTail(r), r);
  const double scale = exp2WholeDouble(n - 1.0);
  return fma(p, scale, scale - 0.5) * 2.0;
}
/// At most 4 ULP.
SINTER_FUNCTION double tanhDouble(double x) {
  if (x != x)
    return x;
  const double e = expm1Double(2.0 * min(abs(x), 20.0));
  return copySign(e / (e + 2.0), x);
}

/// log(1 + f) for |f| < 0.42, as f - f^2/2 + s (f^2/2 + s^2 (2/3 + ...)), s = f / (2 + f).
SINTER_INLINE double logTail(double f) {
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double series = z * horner(z, 2 / 25.0, 2 / 23.0, 2 / 21.0, 2 / 19.0, 2 / 17.0, 2 / 15.0, 2 / 13.0, 2 / 11.0,
                                   2 / 9.0, 2 / 7.0, 2 / 5.0, 2 / 3.0);
  const double half = 0.5 * f * f;
  return s * (half + series) - half;
}
/// x > 0 and finite as (1 + f) 2^n with 1 + f around 1.
SINTER_INLINE double splitDouble(double x, double *n) {
  double offset = 0.0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    offset = -54.0;
  }
  const uint64_t bits = bitCast<uint64_t>(x);
  const uint64_t k = (bits + (uint64_t(0x3ff00000 - 0x3fe6a09e) << 32)) >> 52;
  *n = double(int64_t(k) - 1023) + offset;
  return bitCast<double>(bits - ((k - 1023) << 52)) - 1.0;
}
/// At most 1 ULP.
SINTER_FUNCTION double logDouble(double x) {
  if (!(x > 0.0))
    return x == 0.0 ? -SINTER_INFINITY : x != x ? x : (x - x) / (x - x);
  if (x - x != 0.0)
    return x;
  double n = 0;
  const double f = splitDouble(x, &n);
  return n * 0x1.62e42fefa38p-1 + (f + (logTail(f) + n * 0x1.ef35793c7673p-45));
}
/// At most 3 ULP.
SINTER_FUNCTION double log1pDouble(double x) {
  const double u = 1.0 + x;
  if (!(u > 0.0) || u - u != 0.0)
    return u == 0.0 ? -SINTER_INFINITY : u != u || u > 0.0 ? u : (u - u) / (u - u);
  // The rounding error of 1 + x comes back as the first term of the series. A tiny x is its own logarithm.
  const double lost = abs(x) < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
  return abs(x) < 0x1p-54 ? x : logDouble(u) + lost / u;
}

} // namespace
} // namespace sinter
