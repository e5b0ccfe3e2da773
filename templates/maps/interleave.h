// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two to four planes become pixels, channels-last, and pixels planes: pictures between their layouts, columns of
// tables. Vectors are zipped in registers; a last one that is not filled begins earlier and does some again.
#pragma once

#include "templates/maps/turn.h"

namespace sinter {
namespace {

/// Vector q of the three that pixels of three planes fill: first those of a and b, whose lanes for c are then replaced.
template <int q, class V, int... i>
SINTER_INLINE V pixelsOf3(V a, V b, V c, Numbers<i...>) {
  constexpr int n = kLanesOf<V>, first = q * n;
  const V ab = __builtin_shufflevector(a, b, ((first + i) % 3 * n % (2 * n) + (first + i) / 3)...);
  return __builtin_shufflevector(ab, c, ((first + i) % 3 == 2 ? n + (first + i) / 3 : i)...);
}
/// Plane p of the pixels in three vectors: first what a and b have of it.
template <int p, class V, int... i>
SINTER_INLINE V planeOf3(V a, V b, V c, Numbers<i...>) {
  constexpr int n = kLanesOf<V>;
  const V ab = __builtin_shufflevector(a, b, (3 * i + p < 2 * n ? 3 * i + p : 0)...);
  return __builtin_shufflevector(ab, c, (3 * i + p < 2 * n ? i : 3 * i + p - n)...);
}
template <class V, int... i>
SINTER_INLINE void unzip(V a, V b, V &even, V &odd, Numbers<i...>) {
  even = __builtin_shufflevector(a, b, (2 * i)...);
  odd = __builtin_shufflevector(a, b, (2 * i + 1)...);
}

template <class V>
SINTER_INLINE void planesToPixels(V (&v)[2]) {
  zip(v[0], v[1], v[0], v[1], typename NumbersBelow<kLanesOf<V>>::Type{});
}
template <class V>
SINTER_INLINE void planesToPixels(V (&v)[3]) {
  constexpr typename NumbersBelow<kLanesOf<V>>::Type lanes{};
  const V a = v[0], b = v[1], c = v[2];
  v[0] = pixelsOf3<0>(a, b, c, lanes);
  v[1] = pixelsOf3<1>(a, b, c, lanes);
  v[2] = pixelsOf3<2>(a, b, c, lanes);
}
template <class V>
SINTER_INLINE void planesToPixels(V (&v)[4]) {
  constexpr typename NumbersBelow<kLanesOf<V>>::Type lanes{};
  V even[2], odd[2]; // elements of planes 0 and 2, 1 and 3 in turn
  zip(v[0], v[2], even[0], even[1], lanes);
  zip(v[1], v[3], odd[0], odd[1], lanes);
  zip(even[0], odd[0], v[0], v[1], lanes);
  zip(even[1], odd[1], v[2], v[3], lanes);
}

template <class V>
SINTER_INLINE void pixelsToPlanes(V (&v)[2]) {
  unzip(v[0], v[1], v[0], v[1], typename NumbersBelow<kLanesOf<V>>::Type{});
}
template <class V>
SINTER_INLINE void pixelsToPlanes(V (&v)[3]) {
  constexpr typename NumbersBelow<kLanesOf<V>>::Type lanes{};
  const V a = v[0], b = v[1], c = v[2];
  v[0] = planeOf3<0>(a, b, c, lanes);
  v[1] = planeOf3<1>(a, b, c, lanes);
  v[2] = planeOf3<2>(a, b, c, lanes);
}
template <class V>
SINTER_INLINE void pixelsToPlanes(V (&v)[4]) {
  constexpr typename NumbersBelow<kLanesOf<V>>::Type lanes{};
  V even[2], odd[2];
  unzip(v[0], v[1], even[0], odd[0], lanes);
  unzip(v[2], v[3], even[1], odd[1], lanes);
  unzip(even[0], even[1], v[0], v[2], lanes);
  unzip(odd[0], odd[1], v[1], v[3], lanes);
}

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

/// Where N vectors of places from i on lie: in planes one in each, in pixels behind each other.
template <class T>
struct Planes {
  T *data;
  int64_t step;

  template <int N, int lanes>
  SINTER_INLINE_MEMBER T *at(int64_t i, int j) const {
    return data + i + j * step;
  }
};
template <class T>
struct Pixels {
  T *data;

  template <int N, int lanes>
  SINTER_INLINE_MEMBER T *at(int64_t i, int j) const {
    return data + i * N + j * lanes;
  }
};
/// change(v) of N vectors for each `lanes` places. How many of the count went: all, or none where they do not fill 8
/// bytes; fewer than a vector has lanes go by a narrower one.
template <int N, int lanes, class T, class From, class To, class Change>
SINTER_INLINE int64_t byVectors(From from, To to, int64_t count, Change change) {
  if constexpr (lanes > 1 && lanes * sizeof(T) >= 8) {
    using V = Vec<typename TurnedAs<sizeof(T)>::Type, lanes>;
    if (count < lanes)
      return byVectors<N, lanes / 2, T>(from, to, count, change);
    for (int64_t next = 0; next < count; next += lanes) {
      const int64_t i = next + lanes <= count ? next : count - lanes;
      V v[N];
      SINTER_UNROLL
      for (int j = 0; j < N; ++j)
        memcpy(&v[j], from.template at<N, lanes>(i, j), sizeof(V));
      change(v);
      SINTER_UNROLL
      for (int j = 0; j < N; ++j)
        memcpy(to.template at<N, lanes>(i, j), &v[j], sizeof(V));
    }
    return count;
  } else {
    return 0;
  }
}

/// to[i * N + p] = from[p * plane + i] for `count` pixels of N planes, 2 to 4.
template <int N, class T>
SINTER_HOST_DEVICE void interleave(const T *from, int64_t plane, T *to, int64_t count) {
  static_assert(N >= 2 && N <= 4, "few planes");
#if SINTER_MVE
  if constexpr (sizeof(T) == 1) {
    for (int p = 0; p < N; ++p)
      spreadPlane<N>(from + p * plane, to + p, int32_t(count));
    return;
  }
#endif
  const int64_t done = byVectors<N, kTurnedLanes<sizeof(T)>, T>(
      Planes<const T>{from, plane}, Pixels<T>{to}, count, [](auto &v) SINTER_INLINE_LAMBDA { planesToPixels(v); });
  for (int64_t i = done; i < count; ++i)
    for (int p = 0; p < N; ++p)
      to[i * N + p] = from[p * plane + i];
}

/// to[p * plane + i] = from[i * N + p], the way back.
template <int N, class T>
SINTER_HOST_DEVICE void deinterleave(const T *from, T *to, int64_t plane, int64_t count) {
  static_assert(N >= 2 && N <= 4, "few planes");
  const int64_t done = byVectors<N, kTurnedLanes<sizeof(T)>, T>(
      Pixels<const T>{from}, Planes<T>{to, plane}, count, [](auto &v) SINTER_INLINE_LAMBDA { pixelsToPlanes(v); });
  for (int64_t i = done; i < count; ++i)
    for (int p = 0; p < N; ++p)
      to[p * plane + i] = from[i * N + p];
}

} // namespace
} // namespace sinter
