// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many vectors as a vector has lanes, each summed to one lane of a result: neighbouring lanes of two vectors are
// added, then neighbours of these, so that no sum needs steps of its own.
#pragma once

#include "templates/loops/gather.h"

namespace sinter {
namespace {

template <class V, int... kLane>
SINTER_INLINE V oddLanes(V a, V b, Numbers<kLane...>) {
  return __builtin_shufflevector(a, b, (2 * kLane + 1)...);
}

template <int kLeft, class V>
SINTER_INLINE void addNeighbours(V *v) {
  if constexpr (kLeft > 0) {
    using Lanes = typename NumbersBelow<kLanesOf<V>>::Type;
    SINTER_UNROLL
    for (int i = 0; i < kLeft; ++i)
      v[i] = evenLanes(v[2 * i], v[2 * i + 1], Lanes{}) + oddLanes(v[2 * i], v[2 * i + 1], Lanes{});
    addNeighbours<kLeft / 2>(v);
  }
}

/// Lane i is the sum of v[i]'s lanes. v is overwritten.
template <class V>
SINTER_INLINE V laneSums(V *v) {
  addNeighbours<kLanesOf<V> / 2>(v);
  return v[0];
}

} // namespace
} // namespace sinter
