// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map<T>(n, body): body(tag, i) over 0 <= i < n in steps of the target's lanes of T, then one by one; of few elements,
// whose number is known, by vectors of half the lanes in between, and half of these.
// The elementwise kernels of a model are calls of this; the body is printed once and serves vectors and scalars.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// `body(Tag<V>, int64_t i)` handles elements i .. i + kLanesOf<V> - 1. T is the widest element type that it computes
/// in.
template <class T, class Body>
SINTER_INLINE void map(int64_t n, Body body) {
  const int64_t whole = kLanes<T> > 1 ? n - n % kLanes<T> : 0;
  for (int64_t i = 0; i < whole; i += kLanes<T>)
    body(Tag<Vec<T, kLanes<T>>>{}, i);
  for (int64_t i = whole; i < n; ++i)
    body(Tag<T>{}, i);
}

/// Elements kFirst to kLast, fewer than 2 * kWidth, by vectors of at most kWidth lanes.
template <class T, int64_t kFirst, int64_t kLast, int kWidth, class Body>
SINTER_INLINE void mapRest(const Body &body) {
  constexpr int64_t count = kLast - kFirst;
  if constexpr (kWidth < 4 || kWidth * int(sizeof(T)) < 8) { // narrower vectors gain nothing
    for (int64_t i = kFirst; i < kLast; ++i)
      body(Tag<T>{}, i);
  } else if constexpr (count >= kWidth) {
    body(Tag<Vec<T, kWidth>>{}, kFirst);
    mapRest<T, kFirst + kWidth, kLast, kWidth / 2>(body);
  } else if constexpr (count > 0) {
    mapRest<T, kFirst, kLast, kWidth / 2>(body);
  }
}

template <class T, int64_t kCount, class Body>
SINTER_INLINE void map(Fixed<kCount>, Body body) {
  constexpr int lanes = kLanes<T>;
  constexpr int64_t whole = lanes > 1 ? kCount - kCount % lanes : 0;
  for (int64_t i = 0; i < whole; i += lanes)
    body(Tag<Vec<T, lanes>>{}, i);
  mapRest<T, whole, kCount, lanes / 2>(body);
}

/// The same over first <= i < last: one thread's share.
template <class T, class Body>
SINTER_INLINE void mapRange(int64_t first, int64_t last, Body body) {
  map<T>(last - first, [&](auto tag, int64_t i) { body(tag, first + i); });
}

} // namespace
} // namespace sinter
