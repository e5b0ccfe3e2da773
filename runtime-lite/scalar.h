// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic that never traps and is the same on every target, one lane or many: sums wrap, x / 0 = x % 0 = 0,
// the least integer / -1 is itself, shifts by the width or more give 0. Also the bit counts and integer powers.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// The type in which V's sums wrap: unsigned, and for one lane no narrower than int, which promotion would give.
template <class V>
using WrapType = typename IfType<kLanesOf<V> == 1 && (sizeof(V) < 4), Vec<uint32_t, 1>, UnsignedOf<V>>::Type;

template <class V>
SINTER_INLINE V add(V a, V b) {
  if constexpr (kIsFloat<V>)
    return a + b;
  else
    return (V)((WrapType<V>)a + (WrapType<V>)b);
}
template <class V>
SINTER_INLINE V sub(V a, V b) {
  if constexpr (kIsFloat<V>)
    return a - b;
  else
    return (V)((WrapType<V>)a - (WrapType<V>)b);
}
template <class V>
SINTER_INLINE V mul(V a, V b) {
  if constexpr (kIsFloat<V>)
    return a * b;
  else
    return (V)((WrapType<V>)a * (WrapType<V>)b);
}
template <class V>
SINTER_INLINE V neg(V a) {
  if constexpr (kIsFloat<V>)
    return -a;
  else
    return sub(V{}, a);
}

/// a / b of integers that do not overflow. Vectors have no such instruction, unless b is known: they divide floats that
/// hold the lanes, and quotients so exactly that none is rounded up to a whole number. Of eight bytes there are none.
template <class V>
SINTER_INLINE V wholeQuotient(V a, V b) {
  constexpr size_t bytes = sizeof(ElementOf<V>);
  constexpr int lanes = kLanesOf<V>;
  using F = typename IfType<bytes <= 2, float, double>::Type;
  if constexpr (lanes == 1 || kLanes<double> == 1 || bytes > 4) {
    return (V)(a / b);
  } else {
#if defined(__GNUC__)
    if (__builtin_constant_p(b[0]))
      return (V)(a / b);
#endif
    if constexpr (lanes > kLanes<F>) {
      using Half = Vec<ElementOf<V>, lanes / 2>;
      Half as[2], bs[2];
      SINTER_COPY(&as, &a, sizeof(V));
      SINTER_COPY(&bs, &b, sizeof(V));
      const Half quotients[2] = {wholeQuotient(as[0], bs[0]), wholeQuotient(as[1], bs[1])};
      V quotient;
      SINTER_COPY(&quotient, &quotients, sizeof(V));
      return quotient;
    } else {
      return boundedToInt<V>(rawConvert<Like<V, F>>(a) / rawConvert<Like<V, F>>(b));
    }
  }
}
/// Quotient toward zero.
template <class V>
SINTER_INLINE V div(V a, V b) {
  if constexpr (kIsFloat<V>) {
    return a / b;
  } else {
    const V one = splat<V>(ElementOf<V>(1));
    V divisor = select(b == V{}, one, b);
    if constexpr (kIsSigned<V>) {
      const V minusOne = splat<V>(ElementOf<V>(-1));
      divisor = select(b == minusOne, one, divisor);
      const V q = wholeQuotient(a, divisor);
      return select(b == V{}, V{}, select(b == minusOne, neg(a), q));
    } else {
      return select(b == V{}, V{}, wholeQuotient(a, divisor));
    }
  }
}
/// What div leaves: the sign of a.
template <class V>
SINTER_INLINE V rem(V a, V b) {
  return select(b == V{}, V{}, sub(a, mul(div(a, b), b)));
}
/// Python's %: the sign of b.
template <class V>
SINTER_INLINE V mod(V a, V b) {
  const V r = rem(a, b);
  if constexpr (kIsSigned<V>)
    return select((r != V{}) & ((r ^ b) < 0), add(r, b), r);
  else
    return r;
}
/// Quotients toward minus and plus infinity.
template <class V>
SINTER_INLINE V floorDiv(V a, V b) {
  const V q = div(a, b);
  if constexpr (kIsSigned<V>) {
    const V r = rem(a, b);
    return select((r != V{}) & ((r ^ b) < 0), sub(q, splat<V>(ElementOf<V>(1))), q);
  } else {
    return q;
  }
}
template <class V>
SINTER_INLINE V ceilDiv(V a, V b) {
  const V q = div(a, b);
  const V r = rem(a, b);
  const V up = add(q, splat<V>(ElementOf<V>(1)));
  if constexpr (kIsSigned<V>)
    return select((r != V{}) & ((r ^ b) >= 0), up, q);
  else
    return select(r != V{}, up, q);
}

/// Shifts count modulo nothing: by less than 0 or by the width and more they give 0.
template <class V>
SINTER_INLINE V shiftLeft(V a, V n) {
  using U = UnsignedOf<V>;
  constexpr auto width = ElementOf<U>(sizeof(ElementOf<V>) * 8);
  const U count = (U)n;
  const U inside = select(count < width, count, U{});
  return select(count < width, (V)((WrapType<V>)a << (WrapType<V>)inside), V{});
}
/// Arithmetic for signed V, logical for unsigned.
template <class V>
SINTER_INLINE V shiftRight(V a, V n) {
  using U = UnsignedOf<V>;
  constexpr auto width = ElementOf<U>(sizeof(ElementOf<V>) * 8);
  const U count = (U)n;
  const U inside = select(count < width, count, U{});
  return select(count < width, (V)(a >> (V)inside), V{});
}

/// base to the power of an integer; a negative exponent truncates 1 / base^n, as integer division has it.
template <class T>
SINTER_INLINE T ipow(T base, int64_t exponent) {
  if (exponent < 0) {
    if (base == T(1))
      return base;
    if (kIsSigned<T> && base == T(-1))
      return exponent % 2 ? base : T(1);
    return T{};
  }
  T result = T(1);
  for (uint64_t n = uint64_t(exponent); n; n >>= 1) {
    if (n & 1)
      result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}
template <class V, class N>
SINTER_INLINE V powInt(V base, N exponent) {
  if constexpr (kLanesOf<V> == 1) {
    return ipow(base, int64_t(exponent));
  } else {
    for (int i = 0; i < kLanesOf<V>; ++i)
      base[i] = ipow(ElementOf<V>(base[i]), int64_t(exponent[i]));
    return base;
  }
}

/// How many bits are set, and how many zeros stand before the first or behind the last set bit (the width for 0).
template <class T>
SINTER_INLINE T popCount(T x) {
  return eachLane(x, [](auto lane) {
    using E = decltype(lane);
    uint64_t bits = UnsignedOf<E>(lane);
    int n = 0;
    for (; bits; bits &= bits - 1)
      ++n;
    return E(n);
  });
}
template <class T>
SINTER_INLINE T leadingZeros(T x) {
  return eachLane(x, [](auto lane) {
    using E = decltype(lane);
    uint64_t bits = UnsignedOf<E>(lane);
    int n = int(sizeof(E) * 8);
    for (; bits; bits >>= 1)
      --n;
    return E(n);
  });
}
template <class T>
SINTER_INLINE T trailingZeros(T x) {
  return eachLane(x, [](auto lane) {
    using E = decltype(lane);
    uint64_t bits = UnsignedOf<E>(lane);
    int n = 0;
    for (; n < int(sizeof(E) * 8) && !(bits & 1); bits >>= 1)
      ++n;
    return E(n);
  });
}

} // namespace
} // namespace sinter
