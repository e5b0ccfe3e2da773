// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan, asin, acos, atan. Generic over float, Vec<float, N> and double lanes. Each states its largest error,
// which its test measures. Polynomials as in math_exp.h.
#pragma once

#include "templates/math/math_reduce.h"

namespace sinter {
namespace {

template <class V>
SINTER_INLINE V sinPolynomial(V r) {
  const V z = r * r;
  if constexpr (kSame<ElementOf<V>, float>)
    return fma(V(z * r), horner(z, 0x1.7c2c4ep-19f, -0x1.a05954p-13f, 0x1.111174p-7f, -0x1.555556p-3f), r);
  else
    return fma(V(z * r),
               horner(z, 1 / 355687428096000.0, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0, 1 / 362880.0,
                      -1 / 5040.0, 1 / 120.0, -1 / 6.0),
               r);
}
template <class V>
SINTER_INLINE V cosPolynomial(V r) {
  using E = ElementOf<V>;
  const V z = r * r;
  const V half = z * E(0.5);
  const V tail = [&] {
    if constexpr (kSame<E, float>)
      return horner(z, 0x1.99e714p-16f, -0x1.6c0c26p-10f, 0x1.55554ap-5f);
    else
      return horner(z, 1 / 20922789888000.0, -1 / 87178291200.0, 1 / 479001600.0, -1 / 3628800.0, 1 / 40320.0,
                    -1 / 720.0, 1 / 24.0);
  }();
  const V one = splat<V>(E(1));
  const V head = one - half;
  return head + ((one - head) - half + z * z * tail); // what 1 - z / 2 lost comes back
}

template <class V>
SINTER_INLINE Quadrant<V> reduce(V x) {
  if constexpr (kSame<ElementOf<V>, double>)
    return reduceDouble(x);
  else
    return reduceFloat(x);
}
template <class V>
SINTER_INLINE V quadrantSin(V r, UnsignedOf<V> quadrant) {
  using U = UnsignedOf<V>;
  const V value = select((quadrant & 1) != 0, cosPolynomial(r), sinPolynomial(r));
  constexpr int toSign = int(sizeof(ElementOf<V>) * 8) - 2;
  return bitCast<V>(U(bitCast<U>(value) ^ U((quadrant & 2) << toSign)));
}

/// At most 1.5 ULP.
template <class V>
SINTER_INLINE V sin(V x) {
  const Quadrant<V> q = reduce(x);
  return select(x == V{}, x, quadrantSin(q.r, q.quadrant)); // keeps -0
}
/// At most 1.5 ULP.
template <class V>
SINTER_INLINE V cos(V x) {
  const Quadrant<V> q = reduce(x);
  return quadrantSin(q.r, UnsignedOf<V>(q.quadrant + 1));
}
/// At most 3.5 ULP.
template <class V>
SINTER_INLINE V tan(V x) {
  const Quadrant<V> q = reduce(x);
  const V s = sinPolynomial(q.r), c = cosPolynomial(q.r);
  const auto odd = (q.quadrant & 1) != 0;
  return select(x == V{}, x, V(select(odd, V(-c), s) / select(odd, s, c)));
}

/// atan(t) for 0 <= t <= 1.
template <class V>
SINTER_INLINE V atanSmall(V t) {
  if constexpr (kSame<ElementOf<V>, float>) {
    const V z = t * t;
    return fma(V(z * t),
               horner(z, 0x1.2968b4p-10f, -0x1.e6a0f8p-8f, 0x1.75304p-6f, -0x1.7080bap-5f, 0x1.150ap-4f,
                      -0x1.6953bcp-4f, 0x1.c5117p-4f, -0x1.24762p-3f, 0x1.99981cp-3f, -0x1.555552p-2f),
               t);
  } else {
    // The angle halved twice, then Taylor's series.
    const V once = t / (1.0 + sqrt(V(1.0 + t * t)));
    const V u = once / (1.0 + sqrt(V(1.0 + once * once)));
    const V z = u * u;
    return 4.0 * fma(V(z * u),
                     horner(z, -1 / 23.0, 1 / 21.0, -1 / 19.0, 1 / 17.0, -1 / 15.0, 1 / 13.0, -1 / 11.0, 1 / 9.0,
                            -1 / 7.0, 1 / 5.0, -1 / 3.0),
                     u);
  }
}
/// At most 2.5 ULP; double 4.
template <class V>
SINTER_INLINE V atan(V x) {
  using E = ElementOf<V>;
  const V a = abs(x);
  const V one = splat<V>(E(1));
  const V small = atanSmall(V(select(a > one, one, a) / select(a > one, a, one)));
  return copySign(select(a > one, V(E(0x1.921fb54442d18p0) - small), small), x);
}

/// asin(t) for 0 <= t <= 1/2.
template <class V>
SINTER_INLINE V asinSmall(V t) {
  const V z = t * t;
  return fma(V(z * t),
             horner(z, 0x1.347f44p-5f, 0x1.d5c676p-7f, 0x1.04cb2cp-5f, 0x1.6ca7ccp-5f, 0x1.3338acp-4f, 0x1.55554cp-3f),
             t);
}
/// At most 2.5 ULP; double 5.
template <class V>
SINTER_INLINE V asin(V x) {
  using E = ElementOf<V>;
  if constexpr (kSame<E, double>) {
    return atan(V(x / sqrt(V((1.0 - x) * (1.0 + x)))));
  } else {
    const V a = abs(x);
    const auto far = a > splat<V>(0.5f);
    const V t = select(far, sqrt(V((1.0f - a) * 0.5f)), a);
    const V p = asinSmall(t);
    return copySign(select(far, V(0x1.921fb6p0f - 2.0f * p), p), x);
  }
}
/// At most 2.5 ULP; double 5.
template <class V>
SINTER_INLINE V acos(V x) {
  using E = ElementOf<V>;
  if constexpr (kSame<E, double>) {
    return 2.0 * atan(sqrt(V((1.0 - x) / (1.0 + x))));
  } else {
    const V a = abs(x);
    const auto far = a > splat<V>(0.5f);
    const V t = select(far, sqrt(V((1.0f - a) * 0.5f)), a);
    const V p = asinSmall(t);
    const V twice = 2.0f * p;
    // pi / 2 in two parts: near 1 / 2 the first alone would show.
    const V middle = 0x1.921fb6p0f - (copySign(p, x) + 0x1.777a5cp-25f);
    return select(far, select(x < V{}, V(0x1.921fb6p1f - (twice + 0x1.777a5cp-24f)), twice), middle);
  }
}

} // namespace
} // namespace sinter
