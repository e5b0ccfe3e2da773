// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinh, cosh, asinh, acosh, atanh by way of expm1 and log1p. Generic over float, double and vectors. Each states its
// largest error, which its test measures.
#pragma once

#include "templates/math/math_log.h"

namespace sinter {
namespace {

/// exp(a) / 2 where exp(a) itself may overflow.
template <class V>
SINTER_INLINE V halfExp(V a) {
  const V root = exp(V(a * ElementOf<V>(0.5)));
  return root * ElementOf<V>(0.5) * root;
}
/// At most 4 ULP; double 6.
template <class V>
SINTER_INLINE V sinh(V x) {
  using E = ElementOf<V>;
  const V a = abs(x);
  const V e = expm1(a);
  const V small = (e + e / (e + E(1))) * E(0.5);
  return copySign(select(a > splat<V>(E(80)), halfExp(a), small), x);
}
/// At most 3 ULP.
template <class V>
SINTER_INLINE V cosh(V x) {
  using E = ElementOf<V>;
  const V a = abs(x);
  const V e = exp(a);
  return select(a > splat<V>(E(80)), halfExp(a), V((e + E(1) / e) * E(0.5)));
}
/// At most 4 ULP.
template <class V>
SINTER_INLINE V asinh(V x) {
  using E = ElementOf<V>;
  const V a = abs(x);
  const V square = a * a;
  const V small = log1p(V(a + square / (E(1) + sqrt(V(square + E(1))))));
  return copySign(select(a > splat<V>(E(0x1p28)), V(log(a) + E(0x1.62e42fefa39efp-1)), small), x);
}
/// At most 4 ULP; NaN below 1.
template <class V>
SINTER_INLINE V acosh(V x) {
  using E = ElementOf<V>;
  const V t = x - E(1);
  const V small = log1p(V(t + sqrt(V(t * (t + E(2))))));
  const V result = select(x > splat<V>(E(0x1p28)), V(log(x) + E(0x1.62e42fefa39efp-1)), small);
  return select(x < splat<V>(E(1)), splat<V>(E(float(SINTER_NAN))), result);
}
/// At most 4 ULP; infinite at 1, NaN beyond.
template <class V>
SINTER_INLINE V atanh(V x) {
  using E = ElementOf<V>;
  const V a = abs(x);
  return copySign(V(log1p(V((a + a) / (E(1) - a))) * E(0.5)), x);
}

} // namespace
} // namespace sinter
