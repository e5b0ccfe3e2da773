// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduceLanes<T>(n, value, neutral, merge): merges value(tag, i) over 0 <= i < n. The order is stated: four
// accumulators of this target's lanes take every fourth vector in turn, are merged pairwise, then halves of lanes onto
// halves; what is left over follows in vectors of 16 bytes or four elements, then one by one.
#pragma once

#include "runtime-lite/bits.h"
#include "runtime-lite/scalar.h"

namespace sinter {
namespace {

struct Sum {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return add(a, b);
  }
};
struct Product {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return mul(a, b);
  }
};
struct Largest {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return max(a, b);
  }
};
struct Smallest {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return min(a, b);
  }
};
/// Of integers that are held with a sign and mean none.
struct LargestUnsigned {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return toSigned(max(toUnsigned(a), toUnsigned(b)));
  }
};
struct SmallestUnsigned {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return toSigned(min(toUnsigned(a), toUnsigned(b)));
  }
};
struct AllBits {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return bitAnd(a, b);
  }
};
struct AnyBits {
  template <class V>
  SINTER_INLINE_MEMBER V operator()(V a, V b) const {
    return bitOr(a, b);
  }
};

/// The lanes of v merged into one, halves onto halves.
template <class V, class Merge>
SINTER_INLINE ElementOf<V> mergeLanes(V v, Merge merge) {
  if constexpr (kLanesOf<V> == 1) {
    return v;
  } else {
    Vec<ElementOf<V>, kLanesOf<V> / 2> half[2];
    memcpy(&half, &v, sizeof(v));
    return mergeLanes(merge(half[0], half[1]), merge);
  }
}

/// T: the widest type that `value` computes in; A: the accumulator's.
template <class T, class A, class Value, class Merge>
SINTER_INLINE A reduceLanes(int64_t n, Value value, A neutral, Merge merge) {
  A result = neutral;
  int64_t done = 0; // of n alone, so that compilers see which loops a known n leaves empty
  if constexpr (kLanes<T> > 1) {
    constexpr int lanes = kLanes<T>;
    using Many = Tag<Vec<T, lanes>>;
    done = n / lanes * lanes;
    if (n >= lanes) {
      const auto start = splat<Vec<A, lanes>>(neutral);
      auto s0 = start, s1 = start, s2 = start, s3 = start;
      int64_t i = 0;
      for (; i + 4 * lanes <= done; i += 4 * lanes) {
        s0 = merge(s0, value(Many{}, i));
        s1 = merge(s1, value(Many{}, i + lanes));
        s2 = merge(s2, value(Many{}, i + 2 * lanes));
        s3 = merge(s3, value(Many{}, i + 3 * lanes));
      }
      for (; i < done; i += lanes)
        s0 = merge(s0, value(Many{}, i));
      if (n >= 4 * lanes)
        s0 = merge(merge(s0, s1), merge(s2, s3));
      result = mergeLanes(s0, merge);
    }
  }
  // Rests of bytes are long, and steps that wait for each other slow.
  constexpr int few = sizeof(T) < 4 ? int(16 / sizeof(T)) : 4;
  if constexpr (kLanes<T> > few) {
    const int64_t before = done;
    done = n / few * few;
    if (before < done) {
      auto some = splat<Vec<A, few>>(neutral);
      for (int64_t i = before; i < done; i += few)
        some = merge(some, value(Tag<Vec<T, few>>{}, i));
      result = merge(result, mergeLanes(some, merge));
    }
  }
  for (int64_t i = done; i < n; ++i)
    result = merge(result, value(Tag<T>{}, i));
  return result;
}

} // namespace
} // namespace sinter
