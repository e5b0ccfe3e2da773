// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// weave<G>(v): the M vectors of v in turn, G lanes of each: a a b b c c a a ... for G = 2. Convolutions of several
// filters per channel put their results in order this way.
#pragma once

#include "runtime-lite/vec.h"
#include "templates/loops/numbers.h"

namespace sinter {
namespace {

/// The lower or upper half of two vectors, G lanes of each in turn.
template <int G, bool kIsUpper, class V, int... i>
SINTER_INLINE V weavePair(V a, V b, Numbers<i...>) {
  constexpr int n = kLanesOf<V>;
  return __builtin_shufflevector(a, b, (i / G % 2 * n + i / G / 2 * G + i % G + (kIsUpper ? n / 2 : 0))...);
}
/// The q-th of M woven vectors, of which all lanes so far are right that are of those below `from`: `next` is that one.
template <int G, int M, int q, int from, class V, int... i>
SINTER_INLINE V weaveIn(V soFar, V next, Numbers<i...>) {
  constexpr int n = kLanesOf<V>;
  return __builtin_shufflevector(soFar, next,
                                 ((q * n + i) / G % M == from ? n + (q * n + i) / G / M * G + i % G : i)...);
}

template <int G, class V, int M>
SINTER_INLINE void weave([[maybe_unused]] V (&v)[M]) {
  constexpr int n = kLanesOf<V>;
  if constexpr (M > 1 && n > G) {
    constexpr typename NumbersBelow<n>::Type lanes{};
    if constexpr (M % 2 == 0) {
      V even[M / 2], odd[M / 2];
      for (int m = 0; m < M / 2; ++m)
        even[m] = v[2 * m], odd[m] = v[2 * m + 1];
      weave<G>(even);
      weave<G>(odd);
      for (int m = 0; m < M / 2; ++m) {
        v[2 * m] = weavePair<G, false>(even[m], odd[m], lanes);
        v[2 * m + 1] = weavePair<G, true>(even[m], odd[m], lanes);
      }
    } else {
      V given[M];
      for (int m = 0; m < M; ++m)
        given[m] = v[m];
      eachFixed<M>([&](auto to) SINTER_INLINE_LAMBDA {
        eachFixed<M>([&](auto from) SINTER_INLINE_LAMBDA {
          constexpr int q = int(decltype(to)::value), m = int(decltype(from)::value);
          v[q] = weaveIn<G, M, q, m>(v[q], given[m], lanes);
        });
      });
    }
  }
}

} // namespace
} // namespace sinter
