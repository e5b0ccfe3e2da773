// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of bytes as 16-bit integers, where dot products are made of products of these and pairs of weights are too
// large to be added first (weight_pairs.h): a panel that many tiles meet is widened once, on the stack, and not by each
// tile. Of each four bytes 0 and 2 of all columns come first, then bytes 1 and 3. Under int_tile.h and int_conv.h.
#pragma once

#include "templates/dot4/int_dot.h"
#include "templates/dot4/weight_pairs.h"

namespace sinter {
namespace {

/// The kind of bytes that X is, with weights of words.
template <class X>
using ByWords = ByteKind<X::isSigned, X::isFlipped, 4, 1, -1, true>;

/// Whether a panel of so many bytes is widened for `tiles` tiles.
template <class X>
SINTER_INLINE constexpr bool widensPanels(int64_t bytes, int64_t tiles) {
  return kMultipliesPairs && !X::isPaired && X::together == 4 && paysToWiden(bytes, tiles);
}

/// The words of a panel of so many bytes and NR columns.
template <int NR, class V>
SINTER_INLINE void widenPanel([[maybe_unused]] const int8_t *panel, [[maybe_unused]] int64_t bytes,
                              [[maybe_unused]] V *words) {
#if defined(__SSE2__) || defined(__wasm_simd128__)
  constexpr int vectors = NR / kLanesOf<V>;
  for (; bytes > 0; bytes -= 4 * NR, panel += 4 * NR, words += 2 * vectors) {
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j) {
      V w;
      memcpy(&w, panel + j * int64_t(sizeof(V)), sizeof(w));
      words[j] = evenBytes<true>(w);
      words[vectors + j] = oddBytes<true>(w);
    }
  }
#endif
}

/// sums[j] += the products of the four bytes of x, as X says, with those of vector j of columns.
template <class X, int NV, class V>
SINTER_INLINE void addByWords([[maybe_unused]] V *sums, [[maybe_unused]] V x, [[maybe_unused]] const int8_t *words) {
  static_assert(kMultipliesPairs || sizeof(V) == 0, "there is no such instruction");
#if defined(__SSE2__) || defined(__wasm_simd128__)
  const V even = evenBytes<X::isSigned>(x), odd = oddBytes<X::isSigned>(x);
  SINTER_UNROLL
  for (int j = 0; j < NV; ++j) {
    V first, second;
    memcpy(&first, words + j * int64_t(sizeof(V)), sizeof(V));
    memcpy(&second, words + (NV + j) * int64_t(sizeof(V)), sizeof(V));
    const V both = multiplyPairs(even, first) + multiplyPairs(odd, second);
    SINTER_IN_ORDER; // gcc would multiply all before it adds, and lack registers
    sums[j] += both;
  }
#endif
}

} // namespace
} // namespace sinter
