// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log2, log10, log1p, softplus, mish. Generic over float and Vec<float, N>; double takes math_double.h's.
// Each states its largest error, which its test measures. Polynomials as in math_exp.h.
#pragma once

#include "templates/math/math_exp.h"

namespace sinter {
namespace {

/// x > 0 as (1 + f) 2^n with sqrt(1/2) <= 1 + f < sqrt(2).
template <class V>
struct LogSplit {
  V n, f;
};
template <class V>
SINTER_INLINE LogSplit<V> logSplit(V x) {
  using U = UnsignedOf<V>;
  using I = SignedOf<V>;
  const auto subnormal = x < splat<V>(0x1p-126f);
  const U bits = bitCast<U>(select(subnormal, V(x * 0x1p23f), x));
  const I k = (I)((bits + (0x3f800000u - 0x3f3504f3u)) >> 23) - 127;
  const V m = bitCast<V>(U(bits - ((U)k << 23)));
  const V n = rawConvert<V>(k) - select(subnormal, splat<V>(23.0f), V{});
  return {n, V(m - 1.0f)};
}
/// log(1 + f) - f.
template <class V>
SINTER_INLINE V logTail(V f) {
  const V p = horner(f, -0x1.37f366p-4f, 0x1.0528eap-3f, -0x1.0d7b08p-3f, 0x1.22d3fp-3f, -0x1.5470f2p-3f, 0x1.99a04p-3f,
                     -0x1.00022cp-2f, 0x1.555554p-2f);
  const V z = f * f;
  return fma(V(z * f), p, V(z * -0.5f));
}
/// What log makes of zero, negative numbers, infinity and NaN.
template <class V>
SINTER_INLINE V logSpecial(V x, V result) {
  const V inf = splat<V>(float(SINTER_INFINITY));
  result = select(x < inf, result, x);
  result = select(x < V{}, splat<V>(float(SINTER_NAN)), result);
  return select(x == V{}, V(-inf), result);
}

/// At most 1.5 ULP.
template <class V>
SINTER_INLINE V log(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return logDouble(x);
  } else {
    const LogSplit<V> s = logSplit(x);
    const V low = fma(s.n, splat<V>(0x1.7f7d1cp-20f), logTail(s.f));
    return logSpecial(x, fma(s.n, splat<V>(0x1.62e4p-1f), V(s.f + low)));
  }
}
/// At most 3 ULP.
template <class V>
SINTER_INLINE V log2(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return V(logDouble(x) * 0x1.71547652b82fep0);
  } else {
    const LogSplit<V> s = logSplit(x);
    const V m = s.f + logTail(s.f);
    return logSpecial(x, V(fma(m, splat<V>(0x1.715476p0f), s.n)));
  }
}
/// At most 3 ULP.
template <class V>
SINTER_INLINE V log10(V x) {
  return log(x) * ElementOf<V>(0x1.bcb7b1526e50ep-2);
}

/// log(1 + x) without loss near 0. At most 3 ULP.
template <class V>
SINTER_INLINE V log1p(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return log1pDouble(x);
  } else {
    const V u = x + 1.0f;
    // The rounding error of 1 + x comes back as the first term of the series.
    const V lost = select(abs(x) < splat<V>(1.0f), V(x - (u - 1.0f)), V(1.0f - (u - x)));
    const V correction = lost / u;
    const V finite = log(u) + select(u > V{}, select(abs(x) < splat<V>(0x1p60f), correction, V{}), V{});
    return select(abs(x) < splat<V>(0x1p-26f), x, finite);
  }
}

/// log(1 + exp(x)). At most 4 ULP.
template <class V>
SINTER_INLINE V softplus(V x) {
  return relu(x) + log1p(exp(V(-abs(x))));
}
/// x tanh(log(1 + e)) = x n / (n + 2), where e = exp(x) and n = e (e + 2). At most 5 ULP.
template <class V>
SINTER_INLINE V mish(V x) {
  using E = ElementOf<V>;
  const V two = splat<V>(E(2)), e = exp(noMore(x, splat<V>(E(30)))), n = e * (e + two);
  return x * (n / (n + two));
}

} // namespace
} // namespace sinter
