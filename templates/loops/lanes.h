// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// forLanes<E>(first, end, body): a range that is no multiple of the target's lanes, as channels seldom are, without a
// long rest of single elements. map.h is for loops that are long.
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// The next narrower vector: half as many lanes, of bytes a quarter; four at least, then one.
template <class E>
SINTER_HOST_DEVICE constexpr int narrowerLanes(int lanes) {
  const int fewer = sizeof(E) == 1 ? lanes / 4 : lanes / 2;
  return lanes <= 4 ? 1 : fewer < 4 ? 4 : fewer;
}

/// `body(Tag<V>, int64_t i)` handles elements i .. i + kLanesOf<V> - 1; each of first .. end - 1 is handled once.
/// `lanes`: those of the widest vectors. `count`: end - first where it is known, so that no body is compiled for
/// nothing.
template <class E, int lanes = kLanes<E>, int64_t count = -1, class Body>
SINTER_INLINE void forLanes(int64_t first, int64_t end, Body body) {
  // Loops have plain bounds: GCC warns of rests that known sizes do not have.
  const int64_t whole = end > first ? end - (end - first) % lanes : first;
  if constexpr (count < 0 || count >= lanes)
    for (int64_t i = first; i < whole; i += lanes)
      body(Tag<Vec<E, lanes>>{}, i);
  if constexpr (lanes > 1 && (count < 0 || count % lanes != 0))
    forLanes<E, narrowerLanes<E>(lanes), (count < 0 ? count : count % lanes)>(whole, end, body);
}
/// What is left of elements that were whole vectors of `lanes` so far.
template <class E, int lanes, int64_t count = -1, class Body>
SINTER_INLINE void forRest(int64_t first, int64_t end, Body body) {
  if constexpr (lanes > 1)
    forLanes<E, narrowerLanes<E>(lanes), count>(first, end, body);
}

/// The epilogue that leaves results as they are.
struct Identity {
  template <class V, class... Index>
  SINTER_INLINE_MEMBER V operator()(V v, Index...) const {
    return v;
  }
};

} // namespace
} // namespace sinter
