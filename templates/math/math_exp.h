// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp and what follows from it: exp2, expm1, sigmoid, tanh, silu. Generic over float and Vec<float, N>; double takes
// math_double.h's. Each states its largest error, which its test measures.
//
// Polynomials are minimax fits of ours (Remez, relative error, coefficients rounded one after the other).
#pragma once

#include "templates/math/math_double.h"
#include "templates/math/math_poly.h"

namespace sinter {
namespace {

/// x = n ln 2 + r, n whole and |r| <= ln 2 / 2 (and a little). ln 2 in two parts, the first so short that n times it is
/// exact.
template <class V>
struct ExpSplit {
  V n, r;
};
template <class V>
SINTER_INLINE ExpSplit<V> expSplit(V x) {
  const V magic = splat<V>(0x1.8p23f); // added and taken away, leaves the nearest whole number
  const V n = fma(x, splat<V>(0x1.715476p0f), magic) - magic;
  const V r = fma(n, splat<V>(-0x1.62e4p-1f), x);
  return {n, fma(n, splat<V>(-0x1.7f7d1cp-20f), r)};
}
/// 2^n for whole -126 <= n <= 127.
template <class V>
SINTER_INLINE V exp2Whole(V n) {
  using U = UnsignedOf<V>;
  return bitCast<V>(U((bitCast<U>(n + splat<V>(0x1.8p23f)) + 127u) << 23));
}
/// Whether one instruction multiplies by powers of two.
#if defined(__AVX512F__)
template <class V>
constexpr bool kScalesPowers = kSame<V, Vec<float, 16>>;
#else
template <class V>
constexpr bool kScalesPowers = false;
#endif
/// p 2^n for whole n, where 2^n may be outside of float and the product inside; p < 1.9. Where one instruction
/// multiplies, results below the normal numbers take it a hundred times as long: it leaves out what rounds to zero.
template <class V>
SINTER_INLINE V timesPower(V p, V n) {
#if defined(__AVX512F__)
  if constexpr (kScalesPowers<V>) {
    constexpr int notLess = 0x15; // true for NaN
    const auto some = __builtin_ia32_cmpps512_mask(n, splat<V>(-150.0f), notLess, static_cast<uint16_t>(-1), 4);
    return __builtin_ia32_scalefps512_mask(p, n, V{}, some, 4);
  } else
#endif
  {
    const V half = nearHalf(n);
    return p * exp2Whole(half) * exp2Whole(V(n - half));
  }
}
/// p 2^n + addend for whole n from -126 on, infinite from 2^128 on.
template <class V>
SINTER_INLINE V timesPowerAnd(V p, V n, V addend) {
#if defined(__AVX512F__)
  if constexpr (kScalesPowers<V>)
    return __builtin_ia32_scalefps512_mask(p, n, p, static_cast<uint16_t>(-1), 4) + addend;
  else
#endif
    return fma(p, exp2Whole(n), addend);
}
template <class V>
SINTER_INLINE V expPolynomial(V r) {
  const V p = horner(r, 0x1.6fe43cp-10f, 0x1.1257ap-7f, 0x1.555302p-5f, 0x1.555466p-3f, 0x1p-1f);
  return fma(p * r, r, r) + 1.0f;
}

/// exp on every float, with subnormal results and infinities. At most 1.1 ULP.
template <class V>
SINTER_INLINE V exp(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return expDouble(x);
  } else {
    const ExpSplit<V> s = expSplit(clamp(x, splat<V>(-105.0f), splat<V>(89.0f)));
    return timesPower(expPolynomial(s.r), s.n);
  }
}

/// exp for arguments up to 88: what is below -87.3 gives 0. Shorter, for softmax and the like. At most 1.1 ULP.
template <class V>
SINTER_INLINE V expNegative(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return exp(x);
  } else {
    const ExpSplit<V> s = expSplit(x);
    return select(x < splat<V>(-87.3f), V{}, V(expPolynomial(s.r) * exp2Whole(s.n)));
  }
}

/// At most 1.1 ULP.
template <class V>
SINTER_INLINE V exp2(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return exp2Double(x);
  } else {
    const V c = clamp(x, splat<V>(-151.0f), splat<V>(129.0f));
    const V magic = splat<V>(0x1.8p23f);
    const V n = (c + magic) - magic;
    const V r = c - n;
    const V p =
        fma(horner(r, 0x1.4c673cp-13f, 0x1.5fc81ep-10f, 0x1.3b2176p-7f, 0x1.c6ada8p-5f, 0x1.ebfbe6p-3f, 0x1.62e432p-1f),
            r, splat<V>(1.0f));
    return timesPower(p, n);
  }
}

/// exp(x) - 1 without loss near 0. At most 3 ULP.
template <class V>
SINTER_INLINE V expm1(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return expm1Double(x);
  } else {
    const ExpSplit<V> s = expSplit(clamp(x, splat<V>(-18.0f), splat<V>(89.0f)));
    const V q = horner(s.r, 0x1.a2df38p-13f, 0x1.6d226ep-10f, 0x1.110f78p-7f, 0x1.5554f4p-5f, 0x1.555556p-3f, 0x1p-1f);
    const V p = fma(q * s.r, s.r, s.r);
    // 2^n may be twice the largest float can hold, so its half is doubled last.
    const V scale = exp2Whole(V(s.n - 1.0f));
    const V result = fma(p, scale, scale - 0.5f) * 2.0f;
    return select(abs(x) < splat<V>(0x1p-30f), x, result); // keeps -0
  }
}

/// 1 + exp(x), shorter than by exp: at most 1 ULP, infinite from 88.4 on.
template <class V>
SINTER_INLINE V onePlusExp(V x) {
  using E = ElementOf<V>;
  const V one = splat<V>(E(1));
  if constexpr (kSame<E, double>) {
    return one + exp(x);
  } else {
    const ExpSplit<V> s = expSplit(clamp(x, splat<V>(-87.0f), splat<V>(89.0f)));
    return timesPowerAnd(expPolynomial(s.r), s.n, one);
  }
}

/// 1 / (1 + exp(-x)). At most 2.5 ULP down to -87, then less than the least normal number off.
template <class V>
SINTER_INLINE V sigmoid(V x) {
  return splat<V>(ElementOf<V>(1)) / onePlusExp(V(-x));
}
/// x / (1 + exp(-x)). At most 2.5 ULP down to -87, then less than 1e-36 off.
template <class V>
SINTER_INLINE V silu(V x) {
  return x / onePlusExp(V(-x));
}

/// At most 3 ULP.
template <class V>
SINTER_INLINE V tanh(V x) {
  if constexpr (kSame<ElementOf<V>, double>) {
    return tanhDouble(x);
  } else {
    // tanh |x| = e / (e + 2) with e = expm1(2 |x|): one path, as exact near 0 as expm1.
    const V a = abs(x);
    const V e = expm1(V(select(a > splat<V>(9.1f), splat<V>(9.1f), a) * 2.0f));
    return copySign(V(e / (e + 2.0f)), x);
  }
}

} // namespace
} // namespace sinter
