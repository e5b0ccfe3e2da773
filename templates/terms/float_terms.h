// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as sums of bf16, which instructions multiply sixteen times as fast as floats: a float has 24 bits of
// significand, a bf16 eight, so that x = t0 + t1 + t2 exactly, each term what the upper half of the float's word says
// of what is left. Of the products of terms those behind 2^-24 of the largest are left out (term_tiles.h).
//
//   float 3 terms, half 2 (11 bits), bf16 1
//
// Infinities have no second term that is a number: what they are multiplied into is no number. Source: Henry, Tang,
// Heinecke, Leveraging the bfloat16 Artificial Intelligence Datatype For Higher-Precision Computations (ARITH 2019).
#pragma once

#include "runtime-lite/vec.h"

namespace sinter {
namespace {

/// Terms of a number of type T.
template <class T>
constexpr int kTermsOf = kSame<T, bf16> ? 1
                         : kIsHalf<T>   ? 2
                                        : 3;

/// Lanes of the vectors that T's terms are made in: the words of a tile's row.
template <class T>
constexpr int kTermLanes = 16;

/// to[t * pitch ...]: term t of the lanes of x in the lower halves of words, that of y in the upper ones.
template <int kTerms, class V>
SINTER_INLINE void storeTerms(V x, V y, uint32_t *to, int64_t pitch) {
  using U = Like<V, uint32_t>;
  constexpr uint32_t kUpper = 0xffff0000;
  SINTER_UNROLL
  for (int t = 0; t < kTerms; ++t) {
    const U upperX = bitCast<U>(x) & kUpper, upperY = bitCast<U>(y) & kUpper;
    const U words = bitCast<U>(x) >> 16 | upperY;
    SINTER_COPY(to + t * pitch, &words, sizeof(words));
    x = sub(x, bitCast<V>(upperX));
    y = sub(y, bitCast<V>(upperY));
  }
}

} // namespace
} // namespace sinter
