// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert<To>(from): ONNX Cast between the numeric types, one lane or many, with a stated result for every input.
// Floats to integers truncate, saturate, and take NaN to 0; between integers the low bits stay; to floats rounds to
// nearest even.
#pragma once

#include "runtime-lite/half.h"

namespace sinter {
namespace {

/// x where every lane of m is set, else y. A mask may have lanes of another size than the values.
template <class M, class V>
SINTER_INLINE V select(M m, V x, V y) {
  if constexpr (kLanesOf<V> == 1 || kLanesOf<M> == 1)
    return m ? x : y;
  else if constexpr (sizeof(M) == sizeof(V))
    return (SignedOf<V>)m ? x : y;
  else
    return __builtin_convertvector(m, SignedOf<V>) ? x : y;
}

/// Lane by lane without any care: the caller knows that the values fit.
template <class To, class From>
SINTER_INLINE To rawConvert(From v) {
  static_assert(kLanesOf<To> == kLanesOf<From>, "conversions keep the number of lanes");
  if constexpr (kLanesOf<To> == 1)
    return static_cast<To>(v);
  else
    return __builtin_convertvector(v, To);
}

/// The least and the greatest value of F that truncate into I.
template <class F, class I>
struct IntoRange {
  static constexpr int bits = int(sizeof(I) * 8) - (kIsSigned<I> ? 1 : 0);
  static constexpr int mantissa = sizeof(F) == 4 ? 24 : 53;
  static constexpr F power(int n) { return n == 0 ? F(1) : F(2) * power(n - 1); }
  static constexpr F high = bits <= mantissa ? power(bits) - F(1) : power(bits) - power(bits - mantissa);
  static constexpr F low = kIsSigned<I> ? -power(bits) : F(0);
  static constexpr I max = I(kIsSigned<I> ? ~(uint64_t(1) << (sizeof(I) * 8 - 1)) : ~uint64_t(0));
};

template <class To, class From>
SINTER_INLINE To floatToInt(From v) {
  using I = ElementOf<To>;
  using F = ElementOf<From>;
  using Range = IntoRange<F, I>;
  // Clamped first, so that the conversion itself is defined; NaN fails both comparisons and is replaced last.
  const From zero = From{};
  const From low = Range::low - zero;
  const From high = Range::high - zero;
  From clamped = select(v < low, low, v);
  clamped = select(clamped > high, high, clamped);
  clamped = select(v == v, clamped, zero);
  const To inside = [&] {
    // Narrow types go by way of int32, for which there are instructions.
    if constexpr (sizeof(I) < 4)
      return rawConvert<To>(rawConvert<Like<To, int32_t>>(clamped));
    else
      return rawConvert<To>(clamped);
  }();
  if constexpr (Range::bits <= Range::mantissa)
    return inside;
  else
    return select(v > high, To(I(Range::max) - To{}), inside);
}

template <class To, class From>
SINTER_INLINE To convert(From v) {
  using E = ElementOf<To>;
  using G = ElementOf<From>;
  if constexpr (kSame<To, From>) {
    return v;
  } else if constexpr (kIsHalf<E>) {
    return E{floatToHalf<E>(convert<float>(v))};
  } else if constexpr (kIsHalf<G>) {
    return convert<To>(halfToFloat<G>(v.bits));
  } else if constexpr (kSame<E, bool>) {
    return v != From{};
  } else if constexpr (kIsFloat<G> && !kIsFloat<E>) {
    return floatToInt<To>(v);
  } else {
    return rawConvert<To>(v);
  }
}

} // namespace
} // namespace sinter
