// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products of numbers in tile registers (AMX of x86), by their terms of bf16 (float_terms.h). Under
// term_products.h. An instruction adds A [16 rows][32 of k] by B [32 of k][16 columns] to C [16][16] float.
//
//   tmm0 = A0 B0  tmm1 = A0 B1      A0, A1: tmm4, 5, a term of 16 rows each
//   tmm2 = A1 B0  tmm3 = A1 B1      B0, B1: tmm6, 7, a term of 16 columns each
//
// Of a step of k, products a_i b_j of terms are added for i + j <= 2, the smallest first where A's terms begin. They
// are exact but for sums: an instruction adds 16 pairs up from zero, then to C, all rounded to nearest, so that errors
// are below those of sums one by one. Subnormal numbers are taken for zeros.
#pragma once

#include "templates/dot4/tile_registers.h"
#include "templates/terms/float_terms.h"
#include "templates/terms/term_sizes.h"

namespace sinter {
namespace {

/// Words of a tile: of the numbers of a step those p and p + 16 are a pair, whose terms share a word.
[[maybe_unused]] constexpr int64_t kTermWords = 16 * 16;

/// Rows as tiles: to[row / 16][step][term][row % 16][pair], from k numbers at a of each of `rows` rows.
template <class TA, class LdA>
void splitRows(const TA *a, LdA lda, int64_t rows, int64_t k, uint32_t *to) {
  using V = Vec<float, kTermLanes<TA>>;
  constexpr int terms = kTermsOf<TA>;
  const int64_t steps = (k + kTermStep - 1) / kTermStep;
  for (int64_t i = 0; i < rows; ++i) {
    const TA *at = a + i * lda;
    uint32_t *words = to + (i / kTileRows * steps * terms * kTileRows + i % kTileRows) * 16;
    int64_t p = 0;
    for (; p + kTermStep <= k; p += kTermStep, words += terms * kTermWords)
      storeTerms<terms>(load<V>(at + p), load<V>(at + p + 16), words, kTermWords);
    if (p < k)
      storeTerms<terms>(loadN<V>(at + p, k - p), k - p > 16 ? loadN<V>(at + p + 16, k - p - 16) : V{}, words,
                        kTermWords);
  }
}

/// Columns as tiles: to[step][term][column / 16][pair][column % 16], from k rows of NR numbers at b.
template <int NR, class TB>
void splitColumns(const TB *b, int64_t k, uint32_t *to) {
  using V = Vec<float, kTermLanes<TB>>;
  constexpr int terms = kTermsOf<TB>, tiles = NR / 16;
  for (int64_t p = 0; p < k; p += kTermStep, to += terms * tiles * kTermWords)
    for (int64_t row = 0; row < 16; ++row) {
      const bool hasLower = p + row < k, hasUpper = p + row + 16 < k;
      const TB *lower = b + (p + row) * NR;
      SINTER_UNROLL
      for (int j = 0; j < tiles; ++j)
        storeTerms<terms>(hasLower ? load<V>(lower + j * 16) : V{},
                          hasUpper ? load<V>(lower + (16 * NR + j * 16)) : V{}, to + j * kTermWords + row * 16,
                          tiles * kTermWords);
    }
}

/// Sums of R tiles of rows by C tiles of columns, of which kPanel are a panel; A has terms of TA, B of TB.
template <int R, int C, int kPanel, int kTermsA, int kTermsB, class Tiles>
struct TermBlock {
  static_assert(R <= 2 && C <= 2 && C <= kPanel, "four registers of sums, two for each of A and B");

  /// to[16 R][kPanel * 16] = or += products of `steps` steps. `lower`: words from A's upper rows to its lower ones.
  /// Asks for `lines` cache lines from `ahead` on in each step.
  SINTER_INLINE_MEMBER static void compute(const uint32_t *a, int64_t lower, const uint32_t *b, int64_t steps,
                                           const float *from, float *to, const char *ahead, int64_t lines) {
    each([&](auto i, auto j) SINTER_INLINE_LAMBDA {
      if (from)
        Tiles::template load<kSum<decltype(i), decltype(j)>>(from + kPlace<decltype(i), decltype(j)>, kRowBytes);
      else
        Tiles::template zero<kSum<decltype(i), decltype(j)>>();
    });
    for (int64_t s = 0; s < steps; ++s, a += kTermsA * kTermWords, b += kTermsB * kPanel * kTermWords) {
      for (int64_t line = 0; line < lines; ++line, ahead += 64)
        SINTER_PREFETCH(ahead);
      addTerms<kTermsA - 1, -1>(a, lower, b);
    }
    each([&](auto i, auto j) SINTER_INLINE_LAMBDA {
      Tiles::template store<kSum<decltype(i), decltype(j)>>(to + kPlace<decltype(i), decltype(j)>, kRowBytes);
    });
  }

private:
  static constexpr int64_t kRowBytes = kPanel * 64;
  /// The register of a tile's sums, and where they are in the block's.
  template <class I, class J>
  static constexpr int kSum = int(kFixed<I> * 2 + kFixed<J>);
  template <class I, class J>
  static constexpr int64_t kPlace = (kFixed<I> * 16 * kPanel + kFixed<J>)*16;
  template <class Body>
  SINTER_INLINE_MEMBER static void each(Body body) {
    body(Fixed<0>{}, Fixed<0>{});
    if constexpr (C == 2)
      body(Fixed<0>{}, Fixed<1>{});
    if constexpr (R == 2) {
      body(Fixed<1>{}, Fixed<0>{});
      if constexpr (C == 2)
        body(Fixed<1>{}, Fixed<1>{});
    }
  }

  /// Term `ta` of A, and those before it, by those of B that are not too small; `tb` is in the registers of B.
  template <int ta, int tb>
  SINTER_INLINE_MEMBER static void addTerms(const uint32_t *a, int64_t lower, const uint32_t *b) {
    constexpr int last = kDeepestTerms - ta < kTermsB - 1 ? kDeepestTerms - ta : kTermsB - 1;
    constexpr int first = tb >= 0 && tb <= last ? tb : 0;
    add<ta, first, true, first != tb>(a, lower, b);
    if constexpr (first != 0)
      add<ta, 0, false, true>(a, lower, b);
    if constexpr (last >= 1 && first != 1)
      add<ta, 1, false, true>(a, lower, b);
    if constexpr (last >= 2 && first != 2)
      add<ta, 2, false, true>(a, lower, b);
    if constexpr (ta > 0)
      addTerms<ta - 1, (first != last ? last : first > 0 ? first - 1 : first)>(a, lower, b);
  }
  /// One product of terms, of which A's or B's are loaded unless they are there.
  template <int ta, int tb, bool kLoadsA, bool kLoadsB>
  SINTER_INLINE_MEMBER static void add(const uint32_t *a, int64_t lower, const uint32_t *b) {
    if constexpr (kLoadsB)
      Tiles::template load<6>(b + tb * kPanel * kTermWords, 64);
    if constexpr (kLoadsA)
      Tiles::template load<4>(a + ta * kTermWords, 64);
    Tiles::template multiplyHalves<0, 4, 6>();
    if constexpr (C == 2) {
      if constexpr (kLoadsB)
        Tiles::template load<7>(b + (tb * kPanel + 1) * kTermWords, 64);
      Tiles::template multiplyHalves<1, 4, 7>();
    }
    if constexpr (R == 2) {
      if constexpr (kLoadsA)
        Tiles::template load<5>(a + lower + ta * kTermWords, 64);
      Tiles::template multiplyHalves<2, 5, 6>();
      if constexpr (C == 2)
        Tiles::template multiplyHalves<3, 5, 7>();
    }
  }
};

} // namespace
} // namespace sinter
