// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of four vectors woven into int32 lanes, so that the dot products of int_dot.h run over what lies in different
// places of memory, as the taps of a depthwise convolution do. Under int_depthwise.h.
#pragma once

#include "templates/dot4/int_dot.h"

namespace sinter {
namespace {

/// The first or last eight bytes of each 16 of a and b in turn, from byte `o` of a vector of B on; and so for int16.
#define SINTER_ZIP_BYTES(o, B)                                                                                         \
  (o), (B) + (o), (o) + 1, (B) + (o) + 1, (o) + 2, (B) + (o) + 2, (o) + 3, (B) + (o) + 3, (o) + 4, (B) + (o) + 4,      \
      (o) + 5, (B) + (o) + 5, (o) + 6, (B) + (o) + 6, (o) + 7, (B) + (o) + 7
#define SINTER_ZIP_HALVES(o, H) (o), (H) + (o), (o) + 1, (H) + (o) + 1, (o) + 2, (H) + (o) + 2, (o) + 3, (H) + (o) + 3

/// Within each 16 bytes: a's and b's in turn, those of the lower (kHalf 0) or upper (1) eight.
template <int kHalf, class B>
SINTER_INLINE B zipBytes(B a, B b) {
  constexpr int o = kHalf * 8;
  if constexpr (sizeof(B) == 16)
    return __builtin_shufflevector(a, b, SINTER_ZIP_BYTES(o, 16));
  else if constexpr (sizeof(B) == 32)
    return __builtin_shufflevector(a, b, SINTER_ZIP_BYTES(o, 32), SINTER_ZIP_BYTES(o + 16, 32));
  else
    return __builtin_shufflevector(a, b, SINTER_ZIP_BYTES(o, 64), SINTER_ZIP_BYTES(o + 16, 64),
                                   SINTER_ZIP_BYTES(o + 32, 64), SINTER_ZIP_BYTES(o + 48, 64));
}
template <int kHalf, class B>
SINTER_INLINE auto zipPairs(B a, B b) {
  using H = Vec<int16_t, int(sizeof(B) / 2)>;
  using I = Vec<int32_t, int(sizeof(B) / 4)>;
  constexpr int o = kHalf * 4;
  const H x = (H)a, y = (H)b;
  if constexpr (sizeof(B) == 16)
    return (I)__builtin_shufflevector(x, y, SINTER_ZIP_HALVES(o, 8));
  else if constexpr (sizeof(B) == 32)
    return (I)__builtin_shufflevector(x, y, SINTER_ZIP_HALVES(o, 16), SINTER_ZIP_HALVES(o + 8, 16));
  else
    return (I)__builtin_shufflevector(x, y, SINTER_ZIP_HALVES(o, 32), SINTER_ZIP_HALVES(o + 8, 32),
                                      SINTER_ZIP_HALVES(o + 16, 32), SINTER_ZIP_HALVES(o + 24, 32));
}
#undef SINTER_ZIP_BYTES
#undef SINTER_ZIP_HALVES

/// In place of an end: all bytes are there.
struct NoEnd {};

/// Bytes from p to end, then zeros. Out of line: few loads come here.
template <class D>
[[maybe_unused]] SINTER_NOINLINE SINTER_HOST_DEVICE D bytesBefore(const uint8_t *p, const uint8_t *end) {
  uint8_t bytes[sizeof(D)] = {};
  for (int i = 0; i < int(sizeof(D)) && p + i < end; ++i)
    bytes[i] = p[i];
  D d;
  memcpy(&d, &bytes, sizeof(d));
  return d;
}

/// kBytes bytes from p, their int32 lanes in the order that makes weave's results lie in theirs. What would lie at or
/// behind `end` is not read.
template <class X, int kBytes, class End>
SINTER_INLINE Vec<uint8_t, kBytes> loadToWeave(const uint8_t *p, [[maybe_unused]] End end) {
  using D = Vec<int32_t, kBytes / 4>;
  D d;
  if constexpr (kSame<End, NoEnd>)
    memcpy(&d, p, sizeof(d));
  else if (end - p >= kBytes)
    memcpy(&d, p, sizeof(d));
  else
    d = bytesBefore<D>(p, end);
  if constexpr (kBytes == 32)
    d = __builtin_shufflevector(d, d, 0, 2, 4, 6, 1, 3, 5, 7);
  else if constexpr (kBytes == 64)
    d = __builtin_shufflevector(d, d, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  if constexpr (X::isFlipped)
    d ^= splat<D>(int32_t(0x80808080u));
  return (Vec<uint8_t, kBytes>)d;
}

/// The lanes of four vectors in as few vectors as hold them: what is stored narrow should not be loaded wide.
template <class V>
SINTER_INLINE auto joined(V a, V b) {
  if constexpr (kLanesOf<V> == 4)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  else
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
template <class V>
SINTER_INLINE void storeJoined(const V (&quarters)[4], int32_t *to) {
  if constexpr (kLanesOf<V> * 4 <= kLanes<int32_t>)
    store(to, joined(joined(quarters[0], quarters[1]), joined(quarters[2], quarters[3])));
  else if constexpr (kLanesOf<V> * 2 <= kLanes<int32_t>) {
    store(to, joined(quarters[0], quarters[1]));
    store(to + kLanesOf<V> * 2, joined(quarters[2], quarters[3]));
  } else {
    memcpy(to, &quarters, sizeof(quarters));
  }
}

/// Two vectors of bytes, woven: half the way to four.
template <int kBytes>
struct BytePairs {
  Vec<uint8_t, kBytes> low, high;
};
template <class B>
SINTER_INLINE BytePairs<int(sizeof(B))> pairsOf(B a, B b) {
  return {zipBytes<0>(a, b), zipBytes<1>(a, b)};
}
/// fours[q] lane i: bytes of a's two, then b's two vectors, of their byte q * lanes + i.
template <int kBytes, class V>
SINTER_INLINE void weave(const BytePairs<kBytes> &a, const BytePairs<kBytes> &b, V (&fours)[4]) {
  fours[0] = zipPairs<0>(a.low, b.low);
  fours[1] = zipPairs<1>(a.low, b.low);
  fours[2] = zipPairs<0>(a.high, b.high);
  fours[3] = zipPairs<1>(a.high, b.high);
}

} // namespace
} // namespace sinter
