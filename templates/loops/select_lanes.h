// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// selectLanes<T>(n, value, better, best, place): best and place become the element and the number of that i of 0 <= i <
// n after which none is better, by `better(element, best)`, as a loop over all would have it: ArgMax, ArgMin. Each lane
// holds the best of its own elements and where it stood; then the best of these are compared.
#pragma once

#include "templates/loops/reduce_lanes.h"

namespace sinter {
namespace {

/// `value(tag, i)` is an element, or a vector of them from i on. T, of four bytes or more: the type whose lanes fill a
/// register; A: what elements are computed in. `better` orders all elements, equals among them by their places.
template <class T, class A, class Value, class Better>
SINTER_INLINE void selectLanes(int64_t n, Value value, Better better, A &best, int64_t &place) {
  int64_t inLanes = 0; // of n alone, so that compilers see which loops a known n leaves empty
  if constexpr (kLanes<T> > 1) {
    constexpr int lanes = kLanes<T>;
    using V = Vec<T, lanes>;
    using P = SignedOf<V>;
    constexpr int64_t together = int64_t(1) << 30; // numbers of which lanes hold
    inLanes = n / lanes * lanes;
    for (int64_t i = 0; i < inLanes;) {
      const int64_t first = i;
      auto found = splat<Like<V, A>>(best);
      P where = splat<P>(-1), here = iota<P>(0);
      const P step = splat<P>(lanes);
      for (; i < inLanes && i - first < together; i += lanes) {
        const auto element = value(Tag<V>{}, i);
        const auto isBetter = better(element, found);
        found = select(isBetter, element, found);
        where = select(isBetter, here, where);
        here += step;
      }
      // Of lanes whose elements equal the best one the first or the last counts, as the order says of equals.
      best = mergeLanes(found, [&](auto a, auto b) SINTER_INLINE_LAMBDA { return select(better(b, a), b, a); });
      const auto all = splat<Like<V, A>>(best);
      const auto equals = maskOr(maskNot(better(all, found)), better(found, all));
      const int64_t part = better(best, best) ? maxOf(select(equals, where, splat<P>(-1)))
                                              : minOf(select(equals, where, splat<P>(ElementOf<P>(together))));
      place = part < 0 ? place : first + part;
    }
  }
  for (int64_t i = inLanes; i < n; ++i) {
    const A element = value(Tag<T>{}, i);
    if (better(element, best)) {
      best = element;
      place = i;
    }
  }
}

} // namespace
} // namespace sinter
