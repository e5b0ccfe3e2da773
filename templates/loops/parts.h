// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows in parts, each of which a kernel goes through in a way of its own: where they begin, and vectors that fit them.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// The first t >= 0 with from + t >= to; where there is none of 64 bits, the last of these.
SINTER_INLINE int64_t placeOf(int64_t from, int64_t to) {
  if (to <= from)
    return 0;
  const uint64_t steps = static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  return steps > uint64_t(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(steps);
}
/// The same with from + t > to.
SINTER_INLINE int64_t placeBehind(int64_t from, int64_t to) {
  const int64_t place = placeOf(from, to);
  return to < from || place == INT64_MAX ? place : place + 1;
}

struct Part {
  int64_t first, last;
};

/// The parts of first <= i < last, in order; none is empty.
template <int kMost>
struct Parts {
  Part parts[kMost];
  int count = 0;
  SINTER_INLINE_MEMBER const Part *begin() const { return parts; }
  SINTER_INLINE_MEMBER const Part *end() const { return parts + count; }
};

/// first <= i < last, divided at places of any order, within or not.
template <class... Places>
SINTER_INLINE Parts<int(sizeof...(Places)) + 1> partsOf(int64_t first, int64_t last, Places... places) {
  constexpr int count = int(sizeof...(Places));
  int64_t sorted[] = {places...};
  for (int i = 1; i < count; ++i)
    for (int j = i; j > 0 && sorted[j] < sorted[j - 1]; --j) {
      const int64_t swapped = sorted[j];
      sorted[j] = sorted[j - 1];
      sorted[j - 1] = swapped;
    }
  Parts<count + 1> all;
  for (int i = 0; i <= count; ++i) {
    const int64_t end = i == count || sorted[i] > last ? last : sorted[i];
    if (end > first) {
      all.parts[all.count++] = {first, end};
      first = end;
    }
  }
  return all;
}

/// body(Tag<V>, i) by vectors of at most kWidth lanes, and one by one where half of them gains nothing.
template <class T, int kWidth, class Body>
SINTER_INLINE void mapFitting(int64_t first, int64_t last, const Body &body) {
  if constexpr (kWidth < 4 || kWidth * int(sizeof(T)) < 8) {
    for (int64_t i = first; i < last; ++i)
      body(Tag<T>{}, i);
  } else {
    if (last - first >= kWidth) {
      body(Tag<Vec<T, kWidth>>{}, first);
      first += kWidth;
    }
    mapFitting<T, kWidth / 2>(first, last, body);
  }
}

/// map's body over first <= i < last, of any number of elements: by vectors of the target's lanes of T, then by
/// narrower ones.
template <class T, class Body>
SINTER_INLINE void mapPart(int64_t first, int64_t last, Body body) {
  constexpr int lanes = kLanes<T>;
  if constexpr (lanes > 1)
    for (; last - first >= lanes; first += lanes)
      body(Tag<Vec<T, lanes>>{}, first);
  mapFitting<T, lanes / 2>(first, last, body);
}

} // namespace
} // namespace sinter
