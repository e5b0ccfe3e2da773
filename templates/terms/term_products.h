// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product in tile registers, by terms of bf16 (term_tiles.h), of many rows by columns in panels as gemm.h has them.
// Who reads the rows and who takes the sums is the caller's: term_gemm.h, term_conv.h. Both operands are split into
// terms in scratch, columns again for each group of rows:
//
//   rows, some of k, in the second-level cache
//     panels of columns
//       kTermBlock of k of a panel, in the first-level cache
//         blocks of 32 rows by the panel: their sums wait in scratch for what follows of k
//
// A sum's bits follow from k alone: neither from which rows are computed with it, nor from which panels.
#pragma once

#include "templates/terms/term_sizes.h"
#include "templates/terms/term_tiles.h"

namespace sinter {
namespace {

/// Sums of up to R tiles of rows and a panel, of which `columns` are left: += where `from`. As a function of its own it
/// is one for all products of a model.
template <int R, int NR, int kTermsA, int kTermsB, class Tiles>
SINTER_NOINLINE void addTermBlock(const uint32_t *a, int64_t lower, const uint32_t *b, int64_t steps, int64_t columns,
                                  const float *from, float *to, const char *ahead, int64_t lines) {
  constexpr int vectors = NR / 16;
  if constexpr (vectors == 2) {
    if (columns > 16) {
      TermBlock<R, 2, vectors, kTermsA, kTermsB, Tiles>::compute(a, lower, b, steps, from, to, ahead, lines);
      return;
    }
  }
  TermBlock<R, 1, vectors, kTermsA, kTermsB, Tiles>::compute(a, lower, b, steps, from, to, ahead, lines);
}

/// The sums of m rows by the columns from `first`, where a panel begins, to n - 1 of b, of k products each.
/// split(row, rows, begin, depth, to): the rows' numbers begin .. begin + depth - 1 as tiles of kTermsA terms, as
/// splitRows has them. store(sums, rows, row, column): up to 32 rows of vectors of a panel. `scratch`:
/// termScratchBytes.
template <int NR, int kTermsA, class Tiles, class TB, class Split, class Store>
SINTER_INLINE void termProducts(const TB *b, int64_t m, int64_t first, int64_t n, int64_t k, void *scratch,
                                const void *after, Split split, Store store) {
  constexpr int kTermsB = kTermsOf<TB>, vectors = NR / 16;
  using V = Vec<float, kTermLanes<TB>>;
  static_assert(NR % 16 == 0 && vectors <= 2, "whole tiles");
  const TermSizes sizes = termSizes(NR, m, n, k, kTermsA, kTermsB);
  auto *const partsOfA = static_cast<uint32_t *>(scratch), *const partsOfB = partsOfA + sizes.wordsOfA;
  auto *const sums = reinterpret_cast<float *>(partsOfB + sizes.wordsOfB);
  if (m <= 0 || first >= n)
    return;
  alignas(64) V last[kRowsOfTiles * vectors];
  TileRegisters<Tiles> registers;
  registers.configure(kRowsOfTiles, 64);
  for (int64_t row = 0; row < m; row += sizes.rows) {
    const int64_t rows = m - row < sizes.rows ? m - row : sizes.rows;
    const int64_t blocks = (rows + kRowsOfTiles - 1) / kRowsOfTiles;
    int64_t begin = 0;
    do {
      const int64_t depth = k - begin < sizes.depth ? k - begin : sizes.depth;
      const int64_t stepsOfA = (depth + kTermStep - 1) / kTermStep, tileOfA = stepsOfA * kTermsA * kTermWords;
      split(row, rows, begin, depth, partsOfA);
      for (int64_t column = first; column < n; column += NR) {
        const TB *panel = b + column * k;
        int64_t p = 0;
        do {
          const int64_t length = depth - p < kTermBlock ? depth - p : kTermBlock;
          const int64_t steps = (length + kTermStep - 1) / kTermStep;
          splitColumns<NR>(panel + (begin + p) * NR, length, partsOfB);
          // Blocks ask for what is split next: what follows of k, or the next panel.
          const void *next = p + length < depth ? panel + (begin + p + length) * NR
                             : column + NR < n  ? panel + (k + begin) * NR
                                                : after;
          const int64_t lines = (kTermStep * NR * int64_t(sizeof(TB)) / 64 + blocks - 1) / blocks;
          for (int64_t block = 0; block < blocks; ++block) {
            const int64_t top = block * kRowsOfTiles;
            const int64_t height = rows - top < kRowsOfTiles ? rows - top : kRowsOfTiles;
            const uint32_t *from = partsOfA + top / kTileRows * tileOfA + p / kTermStep * kTermsA * kTermWords;
            float *const kept = sums + ((sizes.keepsPanels ? column / NR : 0) * blocks + block) * kRowsOfTiles * NR;
            const bool isLast = begin + p + length >= k;
            const auto add = height > kTileRows ? addTermBlock<2, NR, kTermsA, kTermsB, Tiles>
                                                : addTermBlock<1, NR, kTermsA, kTermsB, Tiles>;
            add(from, tileOfA, partsOfB, steps, n - column, begin + p > 0 ? kept : nullptr,
                isLast ? reinterpret_cast<float *>(&last[0]) : kept,
                static_cast<const char *>(next) + block * lines * steps * 64, lines);
            if (isLast)
              store(&last[0], height, row + top, column);
          }
          p += length;
        } while (p < depth);
      }
      begin += depth;
    } while (begin < k);
  }
}

} // namespace
} // namespace sinter
