// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gemm of templates/panels/gemm.h in tile registers, by terms of bf16 (term_tiles.h), for many rows. Both operands are
// split into terms in scratch, B again for each group of rows:
//
//   rows of A, up to kTermDepth of k, in the second-level cache
//     panels of B
//       kTermBlock of k of a panel, in the first-level cache
//         blocks of 32 rows by the panel: their sums wait in scratch for what follows of k
//
// B is as the compiler packs it for gemm, so that few rows, of a number that a call brings, go there.
#pragma once

#include "templates/panels/gemm.h"
#include "templates/terms/term_gemm_sizes.h"
#include "templates/terms/term_tiles.h"

namespace sinter {
namespace {

/// A block's sums, from scratch where k goes on, to scratch where more follows, else through the epilogue.
template <int R, int NR, int kTermsA, int kTermsB, class Tiles, class TC, class LdC, class N, class Epilogue>
SINTER_INLINE void termBlock(const uint32_t *a, int64_t lower, const uint32_t *b, int64_t steps, float *sums,
                             bool goesOn, bool isLast, const char *ahead, int64_t lines, int64_t rows, TC *c, LdC ldc,
                             int64_t row, int64_t column, N n, Epilogue &epilogue) {
  using V = Vec<float, kTermLanes<TC>>;
  constexpr int vectors = NR / 16;
  alignas(64) V last[R * 16 * vectors];
  const auto compute = [&](auto tiles) SINTER_INLINE_LAMBDA {
    TermBlock<R, int(kFixed<decltype(tiles)>), vectors, kTermsA, kTermsB, Tiles>::compute(
        a, lower, b, steps, goesOn ? sums : nullptr, isLast ? reinterpret_cast<float *>(&last[0]) : sums, ahead, lines);
  };
  if constexpr (vectors == 2) {
    if (n - column > 16)
      compute(Fixed<2>{});
    else
      compute(Fixed<1>{});
  } else {
    compute(Fixed<1>{});
  }
  if (isLast)
    storeTile<kRestOf<V, N>>(&last[0], rows, vectors, c, ldc, row, column, n, epilogue);
}

/// As gemm, for A whose rows have no gaps; `few`: gemm's tile computes as many rows at most, of `all` that the product
/// has, whatever share of them this call has. `scratch`: termScratchBytes.
template <int kFew, int R, int NR, class Tiles = AmxTiles, class TA, class TB, class TC, class LdA, class LdC, class M,
          class N, class K, class All, class Epilogue>
void termGemm(const TA *a, LdA lda, const TB *b, TC *c, LdC ldc, M m, N n, K k, All all, void *scratch,
              Epilogue epilogue) {
  if constexpr (kFixed<All> < 0 || kFixed<All> <= kFew) {
    if (all <= kFew) {
      gemm<R, NR>(a, lda, Fixed<1>{}, b, c, ldc, m, n, k, epilogue);
      return;
    }
  }
  if constexpr (kFixed<All> < 0 || kFixed<All> > kFew) {
    constexpr int termsA = kTermsOf<TA>, termsB = kTermsOf<TB>;
    const TermSizes sizes = termSizes(NR, m, n, k, termsA, termsB);
    auto *const partsOfA = static_cast<uint32_t *>(scratch), *const partsOfB = partsOfA + sizes.wordsOfA;
    auto *const sums = reinterpret_cast<float *>(partsOfB + sizes.wordsOfB);
    if (m <= 0)
      return;
    TileRegisters<Tiles> registers;
    registers.configure(kRowsOfTiles, 64);
    for (int64_t row = 0; row < m; row += sizes.rows) {
      const int64_t rows = m - row < sizes.rows ? m - row : sizes.rows;
      const int64_t blocks = (rows + kRowsOfTiles - 1) / kRowsOfTiles;
      int64_t begin = 0;
      do {
        const int64_t depth = k - begin < sizes.depth ? k - begin : sizes.depth;
        const int64_t stepsOfA = (depth + kTermStep - 1) / kTermStep, tileOfA = stepsOfA * termsA * kTermWords;
        splitRows(a + row * lda + begin, lda, rows, depth, partsOfA);
        for (int64_t column = 0; column < n; column += NR) {
          const TB *panel = b + column * k;
          int64_t p = 0;
          do {
            const int64_t length = depth - p < kTermBlock ? depth - p : kTermBlock;
            const int64_t steps = (length + kTermStep - 1) / kTermStep;
            splitColumns<NR>(panel + (begin + p) * NR, length, partsOfB);
            // Blocks ask for what is split next: what follows of k, or the next panel.
            const TB *next = p + length < depth ? panel + (begin + p + length) * NR
                             : column + NR < n  ? panel + (k + begin) * NR
                                                : b;
            const int64_t lines = (kTermStep * NR * int64_t(sizeof(TB)) / 64 + blocks - 1) / blocks;
            for (int64_t block = 0; block < blocks; ++block) {
              const int64_t first = block * kRowsOfTiles;
              const int64_t height = rows - first < kRowsOfTiles ? rows - first : kRowsOfTiles;
              const uint32_t *from = partsOfA + first / kTileRows * tileOfA + p / kTermStep * termsA * kTermWords;
              float *const kept = sums + ((sizes.keepsPanels ? column / NR : 0) * blocks + block) * kRowsOfTiles * NR;
              const bool goesOn = begin + p > 0, isLast = begin + p + length >= k;
              const char *ahead = reinterpret_cast<const char *>(next) + block * lines * steps * 64;
              const auto one = [&](auto tall) SINTER_INLINE_LAMBDA {
                termBlock<int(kFixed<decltype(tall)>), NR, termsA, termsB, Tiles>(
                    from, tileOfA, partsOfB, steps, kept, goesOn, isLast, ahead, lines, height, c, ldc, row + first,
                    column, n, epilogue);
              };
              if (height > kTileRows)
                one(Fixed<2>{});
              else
                one(Fixed<1>{});
            }
            p += length;
          } while (p < depth);
        }
        begin += depth;
      } while (begin < k);
    }
  }
}

} // namespace
} // namespace sinter
