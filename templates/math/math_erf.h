// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf, and GELU by its definition and by its tanh approximation. Generic over float and Vec<float, N>; double lanes by
// series. Each states its largest error, which its test measures. Polynomials as in math_exp.h.
#pragma once

#include "templates/math/math_exp.h"

namespace sinter {
namespace {

/// At most 12 ULP: the Maclaurin series near 0, the continued fraction of erfc beyond.
SINTER_FUNCTION double erfDouble(double x) {
  const double a = abs(x);
  if (!(a < 6.0))
    return x != x ? x : copySign(1.0, x);
  const double z = a * a;
  if (a < 2.5) {
    // 2/sqrt(pi) exp(-z) a sum (2z)^k / (1 3 5 ... (2k+1)): all terms positive.
    double term = a, sum = a;
    for (int k = 1; term > sum * 0x1p-56; ++k) {
      term *= 2.0 * z / (2.0 * k + 1.0);
      sum += term;
    }
    return copySign(sum * expDouble(-z) * 0x1.20dd750429b6dp0, x);
  }
  double f = 0.0;
  for (int k = 60; k > 0; --k)
    f = 0.5 * k / (a + f);
  return copySign(1.0 - expDouble(-z) * 0x1.20dd750429b6dp-1 / (a + f), x);
}

/// At most 1.5 ULP.
template <class V>
SINTER_INLINE V erf(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return eachLane(x, [](double lane) { return erfDouble(lane); });
  } else {
    const V z = x * x;
    const V p = horner(z, 0x1.4d2864p-14f, -0x1.a583bcp-11f, 0x1.543f2ap-8f, -0x1.b80062p-6f, 0x1.ce2d6p-4f,
                       -0x1.81274p-2f, 0x1.06eba8p-3f);
    const V small = fma(p, x, x);
    // 1 - exp(-q): q, a polynomial, is -log(erfc). From 3.93 on the result is 1.
    const V a = clamp(abs(x), V{}, splat<V>(3.99f));
    const V q = horner(a, 0x1.5d6816p-16f, -0x1.c44d8cp-12f, 0x1.105fp-8f, -0x1.9aeap-6f, 0x1.bb44d6p-4f,
                       0x1.444d26p-1f, 0x1.212626p0f, -0x1.62d8e2p-13f);
    const ExpSplit<V> s = expSplit(V(-q));
    const V large = copySign(V(1.0f - expPolynomial(s.r) * exp2Whole(s.n)), x);
    return select(abs(x) < splat<V>(0.9f), small, large);
  }
}

/// x / 2 (1 + erf(x / sqrt 2)) = x P(X < x) for X of the normal distribution. Of doubles term by term. Of floats
/// max(x, 0) - |x| P(X > |x|), where P = 2^-q and q - 1 is a polynomial: half the work of erf, and no difference of
/// numbers that are almost the same. At most 1.5 ULP for positive x, for negative ones 2^-24 |x|.
template <class V>
SINTER_INLINE V gelu(V x) {
  using E = ElementOf<V>;
  if constexpr (kSame<E, double>) {
    return E(0.5) * x * (E(1) + erf(V(x * E(0x1.6a09e667f3bcdp-1))));
  } else {
    using U = UnsignedOf<V>;
    const V a = noMore(abs(x), splat<V>(9.5f)); // from there on P is less than 2^-100
    const V q = a * horner(a, 0x1.7d4b3ep-19f, -0x1.4af394p-15f, 0x1.873a6cp-13f, 0x1.1d359ap-13f, -0x1.ced312p-8f,
                           0x1.ae0a86p-5f, 0x1.d63ac2p-2f, 0x1.26aed4p0f);
    const V shifted = q + splat<V>(0x1.8p23f); // the nearest whole number stands in its low bits
    const V r = (shifted - splat<V>(0x1.8p23f)) - q;
    const V p = horner(r, 0x1.4172bap-14f, 0x1.5f0978p-11f, 0x1.3b2ddap-8f, 0x1.c6af7ap-6f, 0x1.ebfbdcp-4f,
                       0x1.62e43p-2f, 0.5f);
    const V tail = bitCast<V>(U(bitCast<U>(p) - (bitCast<U>(shifted) << 23)));
    return fma(V(-a), tail, relu(x));
  }
}
/// x / 2 (1 + tanh(y)) = x / (1 + exp(-2 y)), where y = sqrt(2 / pi) (x + 0.044715 x^3). At most 3 ULP for positive x,
/// for negative ones 2^-23 |x|.
template <class V>
SINTER_INLINE V geluTanh(V x) {
  using E = ElementOf<V>;
  const V cubic = splat<V>(E(-0x1.2444f2a4d8b4bp-4)), linear = splat<V>(E(-0x1.9884533d43651p0));
  return x / onePlusExp(V(x * fma(V(x * x), cubic, linear)));
}

} // namespace
} // namespace sinter
