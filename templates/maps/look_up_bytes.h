// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one byte as tables of 256. Where vectors of 16 bytes are shuffled (SSE4.1, AVX2) the table is 16 of
// them: each is shuffled by the lower four bits of all lanes, and the upper bits choose among the 16 results, by
// halves.
#pragma once

#include "templates/loops/gather.h"

namespace sinter {
namespace {

#if defined(__AVX2__) && defined(SINTER_IS_GNU)
SINTER_INLINE Vec<char, 32> shuffledPart(const int8_t *part, Vec<char, 32> lower) {
  Vec<int64_t, 2> bytes;
  SINTER_COPY(&bytes, part, sizeof(bytes));
  const Vec<int64_t, 4> both{bytes[0], bytes[1], bytes[0], bytes[1]};
  return (Vec<char, 32>)__builtin_ia32_pshufb256((Vec<char, 32>)both, lower);
}
/// b where the highest bit of `upper` is set.
SINTER_INLINE Vec<char, 32> chosenPart(Vec<char, 32> a, Vec<char, 32> b, Vec<char, 32> upper) {
  return (Vec<char, 32>)__builtin_ia32_pblendvb256(a, b, upper);
}
#endif
#if defined(__SSE4_1__) && defined(SINTER_IS_GNU)
SINTER_INLINE Vec<char, 16> shuffledPart(const int8_t *part, Vec<char, 16> lower) {
  Vec<char, 16> bytes;
  SINTER_COPY(&bytes, part, sizeof(bytes));
  return (Vec<char, 16>)__builtin_ia32_pshufb128(bytes, lower);
}
SINTER_INLINE Vec<char, 16> chosenPart(Vec<char, 16> a, Vec<char, 16> b, Vec<char, 16> upper) {
  return (Vec<char, 16>)__builtin_ia32_pblendvb128(a, b, upper);
}
/// The parts of 16 from `table` on, kParts of them, of which the bits above the lower four choose.
template <int kParts, class B>
SINTER_INLINE B partsChosen(const int8_t *table, B lower, const B (&bits)[4]) {
  if constexpr (kParts == 1) {
    return shuffledPart(table, lower);
  } else {
    constexpr int half = kParts / 2, bit = half == 8 ? 3 : half == 4 ? 2 : half == 2 ? 1 : 0;
    return chosenPart(partsChosen<half>(table, lower, bits), partsChosen<half>(table + 16 * half, lower, bits),
                      bits[bit]);
  }
}
/// Bytes that one shuffle takes.
#if defined(__AVX2__)
constexpr int kShuffledBytes = 32;
#else
constexpr int kShuffledBytes = 16;
#endif
#endif

/// table[v], lane by lane; bytes of either sign by their bits, -1 as 255. V: of int8_t.
template <class V>
SINTER_INLINE V lookUpBytes(const int8_t *table, V v) {
  if constexpr (kLanesOf<V> == 1) {
    return table[uint8_t(v)];
#if defined(__SSE4_1__) && defined(SINTER_IS_GNU)
  } else if constexpr (kLanesOf<V> > kShuffledBytes) {
    Vec<int8_t, kLanesOf<V> / 2> halves[2];
    SINTER_COPY(&halves, &v, sizeof(v));
    for (auto &half : halves)
      half = lookUpBytes(table, half);
    SINTER_COPY(&v, &halves, sizeof(v));
    return v;
  } else if constexpr (kLanesOf<V> >= 16) {
    using U = Like<V, uint8_t>;
    using B = Like<V, char>;
    const U bits = (U)v, bits6 = bits + bits, bits5 = bits6 + bits6, bits4 = bits5 + bits5;
    const B upper[4] = {(B)bits4, (B)bits5, (B)bits6, (B)bits};
    return (V)partsChosen<16>(table, (B)(bits & uint8_t(15)), upper);
#endif
  } else {
    return ofLanes<V>([&](int lane) SINTER_INLINE_LAMBDA { return table[uint8_t(v[lane])]; });
  }
}

} // namespace
} // namespace sinter
