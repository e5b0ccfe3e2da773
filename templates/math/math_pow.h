// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow on floats, by way of logarithm and exponential in double; C99's special cases. Integer powers of integers:
// powInt.
#pragma once

#include "templates/math/math_double.h"
#include "templates/math/math_exp.h"

namespace sinter {
namespace {

/// log2 of x > 0, and of 0 and infinity: relative error 2^-50.
SINTER_FUNCTION double log2Double(double x) {
  if (!(x > 0.0) || x - x != 0.0)
    return x == 0.0 ? -SINTER_INFINITY : x;
  double n = 0;
  const double f = splitDouble(x, &n);
  return fma(f + logTail(f), 0x1.71547652b82fep0, n);
}
SINTER_FUNCTION double powDouble(double x, double y) {
  const double a = abs(x);
  if (y == 0.0 || x == 1.0 || (x == -1.0 && isInf(y)))
    return 1.0;
  if (x != x || y != y)
    return x + y;
  double r = exp2Double(y * log2Double(a));
  if (a == 1.0)
    r = 1.0;
  const bool whole = y == trunc(y);
  const bool odd = whole && abs(y) < 0x1p53 && y * 0.5 != trunc(y * 0.5);
  if (bitCast<uint64_t>(x) >> 63) {
    if (!whole && x < 0.0 && a < SINTER_INFINITY)
      return (x - x) / (x - x);
    return odd ? -r : r;
  }
  return r;
}

/// float: at most 1 ULP; double 2.
template <class V>
SINTER_INLINE V cbrt(V x) {
  return eachLane(x, [](auto lane) {
    using E = decltype(lane);
    const double a = abs(double(lane));
    if (!(a > 0.0) || a - a != 0.0)
      return lane;
    // The logarithm's error grows with the exponent: one step of Newton's takes it away.
    const double y = exp2Double(log2Double(a) * (1.0 / 3.0));
    return copySign(E(y - (y * y * y - a) / (3.0 * y * y)), lane);
  });
}

/// x^n for whole n, lane by lane.
template <class V, class N>
SINTER_INLINE V powWhole(V x, N n) {
  using E = ElementOf<V>;
  if constexpr (kLanesOf<V> == 1) {
    return E(powDouble(double(x), double(n)));
  } else {
    for (int i = 0; i < kLanesOf<V>; ++i)
      x[i] = E(powDouble(double(x[i]), double(n[i])));
    return x;
  }
}

/// x^y. float: at most 1 ULP. double: error grows as the result's exponent, up to some 1000 ULP at the ends of the
/// range.
template <class V>
SINTER_INLINE V pow(V x, V y) {
  using E = ElementOf<V>;
  if constexpr (kLanesOf<V> == 1) {
    return E(powDouble(double(x), double(y)));
  } else {
    for (int i = 0; i < kLanesOf<V>; ++i)
      x[i] = E(powDouble(double(x[i]), double(y[i])));
    return x;
  }
}

} // namespace
} // namespace sinter
