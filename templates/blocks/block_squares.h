// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a block of small numbers (block_weights.h) times rows of bytes by instructions for small matrices, two rows
// by two columns of eight bytes (templates/dot4/matrix_tile.h). Numbers lie in fours of a column, as for dot products:
// a vector of fours and the next but one by turns are two columns each, so that one order serves both. Twice the
// products; what is unpacked is shared by R rows, 4 by 8 columns: 8 vectors of squares, 8 of sums, 4 of rows, 4 of
// columns. Under block_gemm.h. KleidiAI and ggml multiply prompts by these instructions, too.
#pragma once

#include "templates/blocks/block_rows.h"
#include "templates/blocks/block_weights.h"
#include "templates/dot4/matrix_tile.h"
#include "templates/loops/lane_sums.h"
#include "templates/maps/turn.h"

namespace sinter {
namespace {

/// Whether R rows are multiplied by instructions for two rows and two columns (templates/dot4/matrix_tile.h), and rows
/// that these take together.
template <class W, int R, class I>
constexpr bool kTakesSquares = kHasSquares && R > 1 && sizeof(I) == 16 && W::kBlock % 16 == 0;
template <class Block, class V>
constexpr int kBlockRowsTogether = kHasSquares && sizeof(V) == 16 && !kSame<Block, FloatBlock<4>> ? 2 : 1;

/// columns[h][c]: of 16 numbers of each of four columns the fours h and h + 2, of columns 2c and 2c + 1. packed(i):
/// the vector of packed numbers from four i * kParts on.
template <class W, class I, class Packed>
SINTER_INLINE void columnsOf(Packed packed, I (&columns)[2][2]) {
  using Lanes = typename NumbersBelow<4>::Type;
  if constexpr (W::kParts == 2) {
    I both[2];
    zip(packed(0), packed(1), both[0], both[1], Lanes{});
    SINTER_UNROLL
    for (int i = 0; i < 4; ++i)
      columns[i / 2][i % 2] = bytesOf<W>(both[i % 2], i / 2);
  } else {
    SINTER_UNROLL
    for (int h = 0; h < 2; ++h) {
      const auto four = [&](int i) SINTER_INLINE_LAMBDA { return bytesOf<W>(packed(i / W::kParts), i % W::kParts); };
      zip(four(h), four(h + 2), columns[h][0], columns[h][1], Lanes{});
    }
  }
}

/// dotsByFours of block_gemm.h.
template <class W, int R, int NV, int vectors, class I, class Weights>
SINTER_INLINE void dotsBySquares(const ByteBlock<W::kBlock> *a, Weights b, I (&dots)[R][vectors]) {
  using Lanes = typename NumbersBelow<4>::Type;
  constexpr int pairs = (R + 1) / 2, unrolled = W::kBlock % 32 == 0 ? 2 : 1;
  const auto second = [](int pair) { return 2 * pair + (2 * pair + 1 < R ? 1 : 0); };
  I squares[pairs][vectors][2]; // a column's two rows side by side
  SINTER_UNROLL
  for (int i = 0; i < pairs; ++i) {
    const int32_t upper = W::hasZeros ? 0 : -W::kHalfRange * a[2 * i].sum,
                  lower = W::hasZeros ? 0 : -W::kHalfRange * a[second(i)].sum;
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      squares[i][j][0] = squares[i][j][1] = I{upper, lower, upper, lower};
  }
  for (int64_t first = 0; first < W::kBlock; first += 16 * unrolled) {
    SINTER_UNROLL
    for (int step = 0; step < unrolled; ++step) {
      const int64_t k = first + step * 16;
      I rows[2][pairs];
      SINTER_UNROLL
      for (int i = 0; i < pairs; ++i) {
        I upper, lower;
        memcpy(&upper, a[2 * i].bytes + k, sizeof(I));
        memcpy(&lower, a[second(i)].bytes + k, sizeof(I));
        rows[0][i] = evenLanes(upper, lower, Lanes{});
        rows[1][i] = oddLanes(upper, lower, Lanes{});
      }
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j) {
        const uint8_t *here = b(j) + k * NV * kLanesOf<I> / W::kParts;
        I columns[2][2];
        columnsOf<W>([&](int i) SINTER_INLINE_LAMBDA { return packedAt<W, NV, I>(here, i, j % NV); }, columns);
        SINTER_UNROLL
        for (int h = 0; h < 2; ++h) {
          SINTER_UNROLL
          for (int i = 0; i < pairs; ++i) {
            SINTER_UNROLL
            for (int c = 0; c < 2; ++c)
              squares[i][j][c] = dotSquare<(W::kBits < 8)>(squares[i][j][c], columns[h][c], rows[h][i]);
          }
        }
      }
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      dots[i][j] = i % 2 ? oddLanes(squares[i / 2][j][0], squares[i / 2][j][1], Lanes{})
                         : evenLanes(squares[i / 2][j][0], squares[i / 2][j][1], Lanes{});
  }
}

} // namespace
} // namespace sinter
