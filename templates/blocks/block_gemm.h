// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B[k, n]) with B in blocks of small numbers that share a scale (block_weights.h).
//   floats   C = sum over blocks of scale * sum of (number - zero) * a
//   bytes    A's rows as bytes first (block_rows.h):
//            C = sum over blocks of scale * a's scale * (sum of number * byte - zero * sum of bytes)
// Few rows are bound by reading B: a number is unpacked in registers and multiplied at once. Of many rows of bytes a
// tile shares what it unpacks; of many rows of floats all do.
#pragma once

#include "templates/blocks/block_dots.h"
#include "templates/blocks/block_quads.h"
#include "templates/blocks/block_rows.h"
#include "templates/blocks/block_squares.h"
#include "templates/blocks/block_weights.h"
#include "templates/blocks/block_words.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

template <int NR>
using BlockVector = Vec<float, (kLanes<float> <= NR ? kLanes<float> : NR)>;

/// Rows that are taken at a time: B is read once for each such group.
constexpr int64_t kBlockRows = 64;
/// Bytes of scratch for at most m rows.
template <template <int> class Block, int kBlock>
SINTER_HOST_DEVICE constexpr int64_t blockGemmScratch(int64_t m, int64_t k) {
  return (m < kBlockRows ? m : kBlockRows) * ((k + kBlock - 1) / kBlock) * int64_t(sizeof(Block<kBlock>));
}

/// sums += a block's, of R rows.
template <class W, int R, int NV, int vectors, class V, class Weights>
SINTER_INLINE void addBlock(const ByteBlock<W::kBlock> *a, Weights b, V (&sums)[R][vectors]) {
  using I = Like<V, int32_t>;
  I dots[R][vectors];
  if constexpr (kTakesSquares<W, R, I>)
    dotsBySquares<W, R, NV>(a, b, dots);
  else if constexpr (kDotsByLanes<W, I>)
    dotsByLanes<W, R, NV>(a, b, dots);
  else
    dotsByFours<W, R, NV>(a, b, dots);
  SINTER_UNROLL
  for (int j = 0; j < vectors; ++j) {
    const V scale = scaleAt<W, NV, V>(b(j), j % NV);
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      sums[i][j] = addScaled<W, NV>(sums[i][j], convert<V>(dots[i][j]), a[i], scale, b(j), j % NV);
  }
}
template <class W, int R, int NV, int vectors, class V, class Weights>
SINTER_INLINE void addBlock(const FloatBlock<W::kBlock> *a, Weights b, V (&sums)[R][vectors]) {
  using I = Like<V, int32_t>;
  V products[R][vectors] = {}, zeros[vectors], scales[vectors];
  SINTER_UNROLL
  for (int j = 0; j < vectors; ++j) {
    scales[j] = scaleAt<W, NV, V>(b(j), j % NV);
    zeros[j] = zeroAt<W, NV, V>(b(j), j % NV);
  }
  for (int g = 0; g < W::kBlock / W::kGroup; ++g) {
    I packed[vectors];
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j) {
      packed[j] = packedAt<W, NV, I>(b(j), g, j % NV);
      SINTER_PREFETCH(b(j) + (g * NV + j % NV) * int64_t(sizeof(I)) + kBlockAhead);
    }
    SINTER_UNROLL
    for (int p = 0; p < W::kGroup; ++p) {
      V numbers[vectors];
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j)
        numbers[j] = lessZeroAt<W>(packed[j], p, zeros[j]);
      SINTER_UNROLL
      for (int i = 0; i < R; ++i) {
        const V x = splat<V>(a[i].values[g * W::kGroup + p]);
        SINTER_UNROLL
        for (int j = 0; j < vectors; ++j)
          products[i][j] = fma(x, numbers[j], products[i][j]);
      }
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      sums[i][j] = fma(products[i][j], scales[j], sums[i][j]);
  }
}

/// out[R][kStreams * NV] = sums over all blocks, `pitch` rows apart in A, of panels `panel` bytes apart in B.
template <class W, int R, int NV, int kStreams, class V, class Block>
void blockTile(const Block *a, int64_t pitch, const uint8_t *b, int64_t panel, int64_t blocks, V *out) {
  constexpr int vectors = NV * kStreams;
  V sums[R][vectors] = {};
  for (int64_t block = 0; block < blocks; ++block) {
    const uint8_t *here = b + block * W::kBytes;
    SINTER_UNROLL
    for (int s = 0; s < kStreams; ++s) {
      SINTER_UNROLL
      for (int64_t line = W::kNumberBytes; line < W::kBytes; line += 64)
        SINTER_PREFETCH(here + s * panel + line + kBlockAhead);
    }
    addBlock<W, R, NV, vectors>(a + block * pitch, [&](int j) { return here + j / NV * panel; }, sums);
  }
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      out[i * vectors + j] = sums[i][j];
  }
}

/// w[p][j] = what a block's numbers mean.
template <class W, int NV, class V>
SINTER_INLINE void unpackBlock(const uint8_t *b, V (&w)[W::kBlock][NV]) {
  for (int j = 0; j < NV; ++j) {
    const V scale = scaleAt<W, NV, V>(b, j), zero = zeroAt<W, NV, V>(b, j);
    for (int g = 0; g < W::kBlock / W::kGroup; ++g) {
      const auto packed = packedAt<W, NV, Like<V, int32_t>>(b, g, j);
      SINTER_UNROLL
      for (int p = 0; p < W::kGroup; ++p)
        w[g * W::kGroup + p][j] = lessZeroAt<W>(packed, p, zero) * scale;
    }
  }
}
/// out[rows][NV] = sums over all blocks of a panel at b: each is unpacked once for all rows, up to kBlockRows.
template <class W, int R, int NV, class V>
void unpackedTiles(const FloatBlock<W::kBlock> *a, const uint8_t *b, int64_t blocks, int64_t rows, V *out) {
  V w[W::kBlock][NV];
  for (int64_t block = 0; block < blocks; ++block, b += W::kBytes) {
    unpackBlock<W>(b, w);
    rowTiles<R>(rows, [&](int64_t some, int64_t row) {
      withRows<(TileSizes(2) << R) - 2>(some, [&](auto fixed) {
        Sums<int(decltype(fixed)::value), NV, V> sums;
        sums.start();
        const FloatBlock<W::kBlock> *first = a + block * rows + row;
        for (int p = 0; p < W::kBlock; ++p)
          sums.add([&](int i) { return first[i].values[p]; }, reinterpret_cast<const float *>(&w[p]),
                   reinterpret_cast<const char *>(b + W::kBytes + p * W::kBytes / W::kBlock));
        sums.end(out + row * NV, block > 0);
      });
    });
  }
}

/// A: m rows, lda elements apart. C: m rows, ldc apart. m, n, k, lda, ldc: Fixed or int64_t, 0 allowed. B: panels of
/// weights in blocks. `Block`: what A's rows are taken as, in `scratch`, blockGemmScratch bytes. `epilogue(v, i, j)`:
/// row i, columns j and on.
template <int R, int NR, int kBits, int kBlock, class Scale, bool kHasZeros, template <int> class Block, class TA,
          class TC, class LdA, class LdC, class M, class N, class K, class Epilogue>
void blockGemm(const TA *a, LdA lda, const uint8_t *b, TC *c, LdC ldc, M m, N n, K k, uint8_t *scratch,
               Epilogue epilogue) {
  using V = BlockVector<NR>;
  using W = BlockWeights<kBits, kBlock, NR, Scale, kHasZeros>;
  constexpr int vectors = NR / kLanesOf<V>, few = 4;
  constexpr int streams = vectors >= 4 ? 1 : 4 / vectors; // of one or two rows, to have enough sums in flight
  auto *rowsOf = reinterpret_cast<Block<W::kBlock> *>(scratch);
  const int64_t blocks = (k + W::kBlock - 1) / W::kBlock, panel = blocks * W::kBytes;
  for (int64_t first = 0; first < m; first += kBlockRows) {
    const int64_t count = m - first < kBlockRows ? m - first : kBlockRows;
    takeRows(a + first * lda, lda, count, k, rowsOf);
    const auto tiles = [&](auto most, auto many, int64_t column, int64_t done = 0) {
      constexpr int r = int(decltype(most)::value), s = int(decltype(many)::value);
      rowTiles<r, (r > 1 ? kBlockRowsTogether<Block<4>, V> : 1)>(count - done, [&](int64_t rows, int64_t behind) {
        const int64_t row = done + behind;
        V sums[r * vectors * s];
        withRows<(TileSizes(2) << r) - 2>(rows, [&](auto fixed) {
          blockTile<W, int(decltype(fixed)::value), vectors, s>(rowsOf + row, count, b + column / NR * panel, panel,
                                                                blocks, &sums[0]);
        });
        storeTile<kRestOf<V, N>>(&sums[0], rows, vectors * s, c, ldc, first + row, column, n, epilogue);
      });
    };
    int64_t column = 0;
    if (streams > 1 && count <= 2)
      for (; column + streams * NR <= n; column += streams * NR)
        tiles(Fixed<2>{}, Fixed<streams>{}, column);
    for (; column < n; column += NR)
      if (count <= few) {
        tiles(Fixed<few>{}, Fixed<1>{}, column);
      } else if constexpr (kSame<Block<4>, FloatBlock<4>> && kLanesOf<V> > 1) {
        V sums[kBlockRows * vectors];
        unpackedTiles<W, R, vectors>(rowsOf, b + column / NR * panel, blocks, count, &sums[0]);
        storeTile<kRestOf<V, N>>(&sums[0], count, vectors, c, ldc, first, column, n, epilogue);
      } else if constexpr (kTakesQuads<W, Block<4>, V>) {
        const int64_t quads = count / 4;
        rowTiles<kQuadsTogether>(quads, [&](int64_t some, int64_t quad) {
          V sums[kQuadsTogether * 4 * vectors];
          withRows<(TileSizes(2) << kQuadsTogether) - 2>(some, [&](auto fixed) {
            for (int j = 0; j < vectors; ++j)
              quadsTile<W, int(decltype(fixed)::value), vectors>(rowsOf + quad * 4, count, b + column / NR * panel, j,
                                                                 blocks, &sums[0]);
          });
          storeTile<kRestOf<V, N>>(&sums[0], some * 4, vectors, c, ldc, first + quad * 4, column, n, epilogue);
        });
        if (quads * 4 < count)
          tiles(Fixed<few>{}, Fixed<1>{}, column, quads * 4);
      } else if constexpr (kTakesWords<W, Block<4>, V>) {
        V sums[kBlockRows * vectors];
        wordTiles<W, vectors>(rowsOf, b + column / NR * panel, blocks, count, &sums[0]);
        storeTile<kRestOf<V, N>>(&sums[0], count, vectors, c, ldc, first, column, n, epilogue);
      } else {
        tiles(Fixed<R>{}, Fixed<1>{}, column);
      }
  }
}

} // namespace
} // namespace sinter
