// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gcc does not see on x86. Integers become wider by any number of steps in one instruction, and narrower by a
// shuffle of bytes; gcc knows those for one step at a time, and takes lanes apart for more. The larger and the smaller
// of two floats are one instruction each. convert.h comes here; clang needs none of it.
#pragma once

#include "runtime-lite/vec_type.h"

#if defined(SINTER_IS_GNU) && !defined(__clang__) && defined(__SSE2__)
#define SINTER_X86_LIMITS 1
#else
#define SINTER_X86_LIMITS 0
#endif
#if SINTER_X86_LIMITS && defined(__SSE4_1__)
#define SINTER_X86_WIDTHS 1
#else
#define SINTER_X86_WIDTHS 0
#endif

namespace sinter {
namespace {

/// Whether there are vectors that widened and narrowed take: integers of 16 bytes or more on the wide side.
template <class Wide, class Narrow>
constexpr bool kHasX86Widths = SINTER_X86_WIDTHS && !kIsFloat<Wide> && !kIsFloat<Narrow> &&
                               sizeof(Wide) > sizeof(Narrow) && sizeof(Wide) >= 16 &&
                               sizeof(Wide) <= SINTER_VECTOR_BYTES;

#if SINTER_X86_WIDTHS
using SixteenBytes = Vec<char, 16>;

/// A register whose first bytes are those of v.
template <class V>
SINTER_INLINE SixteenBytes firstBytes(V v) {
  if constexpr (sizeof(V) == 2)
    return (SixteenBytes)Vec<int16_t, 8>{bitCast<int16_t>(v)};
  else if constexpr (sizeof(V) == 4)
    return (SixteenBytes)Vec<int32_t, 4>{bitCast<int32_t>(v)};
  else if constexpr (sizeof(V) == 8)
    return (SixteenBytes)Vec<int64_t, 2>{bitCast<int64_t>(v)};
  else
    return (SixteenBytes)v;
}

template <class To, class From>
SINTER_INLINE To widened(From v) {
  constexpr size_t from = sizeof(ElementOf<From>), to = sizeof(ElementOf<To>), bytes = sizeof(To);
  using Shorts = Vec<short, 8>;
  using Ints = Vec<int, 4>;
#if defined(__AVX512F__)
  using SixteenInts = Vec<int, 16>;
  using EightLongs = Vec<long long, 8>;
#endif
#define SINTER_WIDEN(source, result, width, Source, name)                                                              \
  if constexpr (from == source && to == result && bytes == width) {                                                    \
    if constexpr (kIsSigned<ElementOf<From>>)                                                                          \
      return (To)__builtin_ia32_pmovsx##name((Source)firstBytes(v));                                                   \
    else                                                                                                               \
      return (To)__builtin_ia32_pmovzx##name((Source)firstBytes(v));                                                   \
  } else
  SINTER_WIDEN(1, 2, 16, SixteenBytes, bw128)
  SINTER_WIDEN(1, 4, 16, SixteenBytes, bd128)
  SINTER_WIDEN(1, 8, 16, SixteenBytes, bq128)
  SINTER_WIDEN(2, 4, 16, Shorts, wd128)
  SINTER_WIDEN(2, 8, 16, Shorts, wq128)
  SINTER_WIDEN(4, 8, 16, Ints, dq128)
#if defined(__AVX2__)
  SINTER_WIDEN(1, 2, 32, SixteenBytes, bw256)
  SINTER_WIDEN(1, 4, 32, SixteenBytes, bd256)
  SINTER_WIDEN(1, 8, 32, SixteenBytes, bq256)
  SINTER_WIDEN(2, 4, 32, Shorts, wd256)
  SINTER_WIDEN(2, 8, 32, Shorts, wq256)
  SINTER_WIDEN(4, 8, 32, Ints, dq256)
#endif
#undef SINTER_WIDEN
#if defined(__AVX512F__)
#define SINTER_WIDEN(source, result, Source, Result, mask, name)                                                       \
  if constexpr (from == source && to == result && bytes == 64) {                                                       \
    if constexpr (kIsSigned<ElementOf<From>>)                                                                          \
      return (To)__builtin_ia32_pmovsx##name##_mask((Source)firstBytes(v), Result{}, mask(-1));                        \
    else                                                                                                               \
      return (To)__builtin_ia32_pmovzx##name##_mask((Source)firstBytes(v), Result{}, mask(-1));                        \
  } else
  SINTER_WIDEN(1, 4, SixteenBytes, SixteenInts, uint16_t, bd512)
  SINTER_WIDEN(1, 8, SixteenBytes, EightLongs, uint8_t, bq512)
  SINTER_WIDEN(2, 8, Shorts, EightLongs, uint8_t, wq512)
#undef SINTER_WIDEN
#endif
  return SINTER_CONVERT_LANES(v, To);
}

/// The low bytes of the lanes of 16 bytes, side by side in the first bytes of a register.
template <size_t from, size_t to>
SINTER_INLINE SixteenBytes lowBytes(SixteenBytes v) {
  SixteenBytes places{};
  for (size_t i = 0; i < 16; ++i)
    places[i] = char(i / to * from % 16 + i % to);
  return __builtin_shuffle(v, places);
}

template <class To, class From>
SINTER_INLINE To narrowed(From v) {
  constexpr size_t from = sizeof(ElementOf<From>), to = sizeof(ElementOf<To>);
  SixteenBytes low;
  if constexpr (sizeof(From) == 16) {
    low = lowBytes<from, to>((SixteenBytes)v);
#if SINTER_VECTOR_BYTES == 64
  } else if constexpr (sizeof(From) == 64 && from == 4 && to == 1) {
    low = __builtin_ia32_pmovdb512_mask((Vec<int, 16>)v, SixteenBytes{}, uint16_t(-1));
  } else if constexpr (sizeof(From) == 64 && from == 8 && to == 1) {
    low = __builtin_ia32_pmovqb512_mask((Vec<long long, 8>)v, SixteenBytes{}, uint8_t(-1));
  } else if constexpr (sizeof(From) == 64 && from == 8 && to == 2) {
    low = (SixteenBytes)__builtin_ia32_pmovqw512_mask((Vec<long long, 8>)v, Vec<short, 8>{}, uint8_t(-1));
  } else if constexpr (sizeof(From) == 32 && from == 4 && to == 1) {
    low = __builtin_ia32_pmovdb256_mask((Vec<int, 8>)v, SixteenBytes{}, uint8_t(-1));
  } else if constexpr (sizeof(From) == 32 && from == 8 && to == 1) {
    low = __builtin_ia32_pmovqb256_mask((Vec<long long, 4>)v, SixteenBytes{}, uint8_t(-1));
  } else if constexpr (sizeof(From) == 32 && from == 8 && to == 2) {
    low = (SixteenBytes)__builtin_ia32_pmovqw256_mask((Vec<long long, 4>)v, Vec<short, 8>{}, uint8_t(-1));
#elif defined(__AVX2__)
  } else if constexpr (from > 2 * to || to == 4) {
    SixteenBytes half[2];
    SINTER_COPY(&half, &v, sizeof(v));
    // What each half leaves is an element of a vector; these are taken in turn.
    using Part = typename IntOfSize<sizeof(To) / 2>::Signed;
    using Parts = Vec<Part, int(16 / sizeof(Part))>;
    Parts places{};
    for (int i = 0; i < kLanesOf<Parts>; ++i)
      places[i] = Part(i / 2 + i % 2 * kLanesOf<Parts>);
    low =
        (SixteenBytes)__builtin_shuffle((Parts)lowBytes<from, to>(half[0]), (Parts)lowBytes<from, to>(half[1]), places);
#endif
  } else {
    return SINTER_CONVERT_LANES(v, To);
  }
  To result;
  SINTER_COPY(&result, &low, sizeof(To));
  return result;
}
#endif

/// Whether larger and smaller take V: whole registers of floats.
template <class V>
constexpr bool kHasX86Limits = SINTER_X86_LIMITS && kIsFloat<V> && sizeof(V) >= 16 && sizeof(V) <= SINTER_VECTOR_BYTES;

#if SINTER_X86_LIMITS
#if defined(__AVX512F__)
#define SINTER_X86_LIMIT_64(instruction)                                                                               \
  if constexpr (kSame<V, Vec<float, 16>>)                                                                              \
    return __builtin_ia32_##instruction##ps512_mask(a, b, a, static_cast<uint16_t>(-1), 4);                            \
  else if constexpr (kSame<V, Vec<double, 8>>)                                                                         \
    return __builtin_ia32_##instruction##pd512_mask(a, b, a, static_cast<uint8_t>(-1), 4);                             \
  else
#else
#define SINTER_X86_LIMIT_64(instruction)
#endif
#if defined(__AVX__)
#define SINTER_X86_LIMIT_32(instruction)                                                                               \
  if constexpr (kSame<V, Vec<float, 8>>)                                                                               \
    return __builtin_ia32_##instruction##ps256(a, b);                                                                  \
  else if constexpr (kSame<V, Vec<double, 4>>)                                                                         \
    return __builtin_ia32_##instruction##pd256(a, b);                                                                  \
  else
#else
#define SINTER_X86_LIMIT_32(instruction)
#endif
/// a where it is the larger (the smaller), else b: of NaN and of equals the second.
#define SINTER_X86_LIMIT(name, instruction)                                                                            \
  template <class V>                                                                                                   \
  SINTER_INLINE V name(V a, V b) {                                                                                     \
    SINTER_X86_LIMIT_64(instruction)                                                                                   \
    SINTER_X86_LIMIT_32(instruction)                                                                                   \
    if constexpr (kSame<V, Vec<float, 4>>)                                                                             \
      return __builtin_ia32_##instruction##ps(a, b);                                                                   \
    else                                                                                                               \
      return __builtin_ia32_##instruction##pd(a, b);                                                                   \
  }
SINTER_X86_LIMIT(largerOrSecond, max)
SINTER_X86_LIMIT(smallerOrSecond, min)
#undef SINTER_X86_LIMIT
#undef SINTER_X86_LIMIT_32
#undef SINTER_X86_LIMIT_64
#endif

} // namespace
} // namespace sinter
