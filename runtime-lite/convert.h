// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert<To>(from): ONNX Cast between the numeric types, one lane or many, with a stated result for every input.
// Floats to integers truncate, saturate, and take NaN to 0; between integers the low bits stay; to floats rounds to
// nearest even.
#pragma once

#include "runtime-lite/convert_x86.h"
#include "runtime-lite/half.h"
#include "runtime-lite/vec_mve.h"

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
    return SINTER_CONVERT_LANES(m, SignedOf<V>) ? x : y;
}

/// a > b ? a : b and a < b ? a : b, in one instruction where compilers do not see it.
template <class V>
SINTER_INLINE V firstIfLarger(V a, V b) {
#if SINTER_MVE
  if constexpr (kSame<V, FourFloats> || kSame<V, FourInts>)
    return firstIfLargerFour(a, b);
  else
#elif SINTER_X86_LIMITS
  if constexpr (kHasX86Limits<V>)
    return largerOrSecond(a, b);
  else
#endif
    return select(a > b, a, b);
}
template <class V>
SINTER_INLINE V firstIfSmaller(V a, V b) {
#if SINTER_MVE
  if constexpr (kSame<V, FourFloats> || kSame<V, FourInts>)
    return firstIfSmallerFour(a, b);
  else
#elif SINTER_X86_LIMITS
  if constexpr (kHasX86Limits<V>)
    return smallerOrSecond(a, b);
  else
#endif
    return select(a < b, a, b);
}

/// Integers of V's signedness, half or twice as wide.
template <class V, size_t Bytes>
using ResizedInt =
    Like<V,
         typename IfType<kIsSigned<V>, typename IntOfSize<Bytes>::Signed, typename IntOfSize<Bytes>::Unsigned>::Type>;
template <class V>
using HalfOf = ResizedInt<V, sizeof(ElementOf<V>) / 2>;
template <class V>
using DoubleOf = ResizedInt<V, sizeof(ElementOf<V>) * 2>;

/// Lane by lane without any care: the caller knows that the values fit.
template <class To, class From>
SINTER_INLINE To rawConvert(From v) {
  static_assert(kLanesOf<To> == kLanesOf<From>, "conversions keep the number of lanes");
  if constexpr (kLanesOf<To> == 1)
    return static_cast<To>(v);
#if SINTER_MVE
  else if constexpr (kIsWideFour<To> && kIsWideFour<From> && kIsFloat<To> != kIsFloat<From>)
    return convertFour<To>(v);
  else if constexpr (kAreWideAndNarrow<To, From>)
    return rawConvert<To>(loadFour(reinterpret_cast<const ElementOf<From> *>(&v)));
  else if constexpr (kAreWideAndNarrow<From, To>) {
    To narrow;
    storeFour(reinterpret_cast<ElementOf<To> *>(&narrow), rawConvert<FourInts>(v));
    return narrow;
  }
#endif
#if !defined(__clang__)
  // gcc has instructions for one step of width at a time, and takes lanes apart for two.
  else if constexpr (kIsFloat<To> && !kIsFloat<From> && sizeof(ElementOf<From>) < sizeof(int32_t))
    return rawConvert<To>(rawConvert<Like<From, int32_t>>(v));
#if SINTER_X86_WIDTHS
  else if constexpr (kHasX86Widths<To, From>)
    return widened<To>(v);
  else if constexpr (kHasX86Widths<From, To>)
    return narrowed<To>(v);
#endif
#if defined(__aarch64__)
  // Four bytes are no vector of gcc's there.
  else if constexpr (!kIsFloat<To> && sizeof(From) == 4 && kLanesOf<From> == 4 && sizeof(To) == 16) {
    const auto bytes = bitCast<int32_t>(v);
    To wide;
    if constexpr (kIsSigned<ElementOf<From>>)
      __asm__("sxtl %0.8h, %1.8b\n\tsxtl %0.4s, %0.4h" : "=w"(wide) : "w"(bytes));
    else
      __asm__("uxtl %0.8h, %1.8b\n\tuxtl %0.4s, %0.4h" : "=w"(wide) : "w"(bytes));
    return wide;
  } else if constexpr (!kIsFloat<From> && sizeof(From) == 16 && sizeof(ElementOf<From>) == 4 && sizeof(To) == 4) {
    int32_t bytes;
    __asm__("xtn %0.4h, %1.4s\n\txtn %0.8b, %0.8h" : "=w"(bytes) : "w"(v));
    return bitCast<To>(bytes);
  }
#endif
  else if constexpr (!kIsFloat<To> && !kIsFloat<From> && sizeof(From) > 2 * sizeof(To))
    return rawConvert<To>(rawConvert<HalfOf<From>>(v));
  else if constexpr (!kIsFloat<To> && !kIsFloat<From> && sizeof(To) > 2 * sizeof(From))
    return rawConvert<To>(rawConvert<DoubleOf<From>>(v));
#endif
  else
    return SINTER_CONVERT_LANES(v, To);
}

/// The least and the greatest value of F that truncate into I.
template <class F, class I>
struct IntoRange {
  static constexpr int bits = int(sizeof(I) * 8) - (kIsSigned<I> ? 1 : 0);
  static constexpr int mantissa = sizeof(F) == 4 ? 24 : 53;
  SINTER_HOST_DEVICE static constexpr F power(int n) { return n == 0 ? F(1) : F(2) * power(n - 1); }
  static constexpr F high = bits <= mantissa ? power(bits) - F(1) : power(bits) - power(bits - mantissa);
  static constexpr F low = kIsSigned<I> ? -power(bits) : F(0);
  static constexpr I max = I(kIsSigned<I> ? ~(uint64_t(1) << (sizeof(I) * 8 - 1)) : ~uint64_t(0));
};

/// Toward zero, for what is known to lie in the range of To.
template <class To, class From>
SINTER_INLINE To boundedToInt(From v) {
  // Narrow types go by way of int32, for which there are instructions.
  if constexpr (sizeof(ElementOf<To>) < 4)
    return rawConvert<To>(rawConvert<Like<To, int32_t>>(v));
  else
    return rawConvert<To>(v);
}

template <class To, class From>
SINTER_INLINE To floatToInt(From v) {
#if SINTER_MVE
  // Saturates, and takes NaN to 0.
  if constexpr (kIsWideFour<To> && kSame<From, FourFloats>)
    return convertFour<To>(v);
#endif
  using I = ElementOf<To>;
  using F = ElementOf<From>;
  using Range = IntoRange<F, I>;
  // Clamped first, so that the conversion itself is defined; NaN fails both comparisons and is replaced last.
  const From zero = From{};
  const From low = Range::low - zero;
  const From high = Range::high - zero;
  From clamped = firstIfSmaller(high, firstIfLarger(low, v));
  clamped = select(v == v, clamped, zero);
  const To inside = boundedToInt<To>(clamped);
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
