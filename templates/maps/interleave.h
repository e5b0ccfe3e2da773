// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two to four planes of bytes become pixels, channels-last: how an image comes to a convolution of bytes.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

#if SINTER_VECTOR_BYTES >= 16
/// Bytes 16 * part .. of 16 pixels of three planes: first those of a and b, whose lanes for c are then replaced.
SINTER_INLINE void storePixels3(uint8_t *to, Vec<uint8_t, 16> a, Vec<uint8_t, 16> b, Vec<uint8_t, 16> c) {
  using B = Vec<uint8_t, 16>;
  const B ab0 = __builtin_shufflevector(a, b, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
  const B ab1 = __builtin_shufflevector(a, b, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
  const B ab2 = __builtin_shufflevector(a, b, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
  const B out[3] = {__builtin_shufflevector(ab0, c, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15),
                    __builtin_shufflevector(ab1, c, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15),
                    __builtin_shufflevector(ab2, c, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31)};
  memcpy(to, &out, sizeof(out));
}
SINTER_INLINE void storePixels2(uint8_t *to, Vec<uint8_t, 16> a, Vec<uint8_t, 16> b) {
  using B = Vec<uint8_t, 16>;
  const B out[2] = {__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
  memcpy(to, &out, sizeof(out));
}
#endif

#if SINTER_MVE
/// Every Nth byte from `to` on: sixteen are loaded and scattered at a time.
template <int N>
SINTER_INLINE void spreadPlane(const void *from, void *to, int32_t count) {
  const auto places = iota<Vec<uint8_t, 16>>(0) * uint8_t(N);
  __asm__ volatile("wlstp.8 lr, %[n], 2f\n 1: vldrb.8 q0, [%[from]], #16\n vstrb.8 q0, [%[to], %q[places]]\n"
                   "add %[to], %[to], %[step]\n letp lr, 1b\n 2:\n"
                   : [from] "+r"(from), [to] "+r"(to)
                   : [n] "r"(count), [step] "i"(16 * N), [places] "w"(places)
                   : "lr", "q0", "memory" SINTER_AND_P0);
}
#endif

/// to[i * N + p] = from[p * plane + i] for `count` pixels of N planes, 2 to 4.
template <int N, class T>
SINTER_HOST_DEVICE void interleave(const T *from, int64_t plane, T *to, int64_t count) {
  static_assert(sizeof(T) == 1 && N >= 2 && N <= 4, "planes of bytes");
#if SINTER_MVE
  for (int p = 0; p < N; ++p)
    spreadPlane<N>(from + p * plane, to + p, int32_t(count));
#else
  constexpr int64_t atOnce = SINTER_VECTOR_BYTES >= 16 ? 16 : 1;
  const int64_t whole = count - count % atOnce;
#if SINTER_VECTOR_BYTES >= 16
  const auto *in = reinterpret_cast<const uint8_t *>(from);
  auto *out = reinterpret_cast<uint8_t *>(to);
  for (int64_t i = 0; i < whole; i += atOnce) {
    Vec<uint8_t, 16> planes[N];
    SINTER_UNROLL
    for (int p = 0; p < N; ++p)
      memcpy(&planes[p], in + p * plane + i, sizeof(planes[p]));
    if constexpr (N == 2) {
      storePixels2(out + i * N, planes[0], planes[1]);
    } else if constexpr (N == 3) {
      storePixels3(out + i * N, planes[0], planes[1], planes[2]);
    } else {
      uint8_t even[32], odd[32]; // bytes of planes 0 and 2, 1 and 3 in turn
      storePixels2(&even[0], planes[0], planes[2]);
      storePixels2(&odd[0], planes[1], planes[3]);
      for (int half = 0; half < 2; ++half) {
        Vec<uint8_t, 16> a, b;
        memcpy(&a, &even[half * 16], sizeof(a));
        memcpy(&b, &odd[half * 16], sizeof(b));
        storePixels2(out + i * N + half * 32, a, b);
      }
    }
  }
#endif
  for (int64_t i = atOnce > 1 ? whole : 0; i < count; ++i)
    for (int p = 0; p < N; ++p)
      to[i * N + p] = from[p * plane + i];
#endif
}

} // namespace
} // namespace sinter
