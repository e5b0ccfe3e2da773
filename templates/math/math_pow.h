// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow on floats, by way of logarithm and exponential in double; C99's special cases. Integer powers of integers:
// powInt.
#pragma once

#include "runtime-lite/bits.h"
#include "templates/math/math_double.h"
#include "templates/math/math_exp.h"

namespace sinter {
namespace {

/// log2 of x > 0, and of 0 and infinity: relative error 2^-50, for float 2^-39.
template <bool kIsForFloat = false, class V>
SINTER_INLINE V log2Double(V x) {
  V n{};
  const V f = splitDouble(x, &n);
  const V finite = fma(V(f + logTailDouble<kIsForFloat>(f)), splat<V>(0x1.71547652b82fep0), n);
  return select(x > V{}, select(x < splat<V>(SINTER_INFINITY), finite, x), splat<V>(-SINTER_INFINITY));
}
template <bool kIsForFloat, class V>
SINTER_INLINE V powDouble(V x, V y) {
  const V a = abs(x), one = splat<V>(1.0), infinity = splat<V>(SINTER_INFINITY), half = y * 0.5;
  V r = select(a == one, one, exp2Double<kIsForFloat>(V(y * log2Double<kIsForFloat>(a))));
  const auto whole = y == trunc(y);
  const auto odd = maskAnd(whole, maskAnd(abs(y) < splat<V>(0x1p53), half != trunc(half)));
  const auto negative = copySign(one, x) < V{};
  r = select(maskAnd(negative, odd), V(-r), r);
  const auto noRoot = maskAnd(maskAnd(x < V{}, a < infinity), maskNot(whole));
  r = select(noRoot, splat<V>(SINTER_NAN), r);
  r = select(maskAnd(x == x, y == y), r, V(x + y));
  return select(maskOr(maskOr(y == V{}, x == one), maskAnd(x == V(-one), abs(y) == infinity)), one, r);
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

/// x^y, by vectors of doubles: those of floats are too wide for one. float: at most 1 ULP. double: error grows as the
/// result's exponent, up to some 1000 ULP at the ends of the range.
template <class V>
SINTER_INLINE V pow(V x, V y) {
  using E = ElementOf<V>;
  constexpr int lanes = kLanesOf<V>;
  if constexpr (lanes == 1) {
    return E(powDouble<kSame<E, float>>(double(x), double(y)));
  } else if constexpr (lanes <= kLanes<double>) {
    using D = Like<V, double>;
    return rawConvert<V>(powDouble<kSame<E, float>>(rawConvert<D>(x), rawConvert<D>(y)));
  } else if constexpr (kLanes<double> == 1) {
    for (int i = 0; i < lanes; ++i)
      x[i] = pow(E(x[i]), E(y[i]));
    return x;
  } else {
    Vec<E, lanes / 2> xs[2], ys[2];
    SINTER_COPY(&xs, &x, sizeof(x));
    SINTER_COPY(&ys, &y, sizeof(y));
    xs[0] = pow(xs[0], ys[0]);
    xs[1] = pow(xs[1], ys[1]);
    SINTER_COPY(&x, &xs, sizeof(x));
    return x;
  }
}

/// x^n for whole n.
template <class V, class N>
SINTER_INLINE V powWhole(V x, N n) {
  using E = ElementOf<V>;
  if constexpr (kLanesOf<V> == 1) {
    return E(powDouble<kSame<E, float>>(double(x), double(n)));
  } else {
    for (int i = 0; i < kLanesOf<V>; ++i)
      x[i] = E(powDouble<kSame<E, float>>(double(x[i]), double(n[i])));
    return x;
  }
}

} // namespace
} // namespace sinter
