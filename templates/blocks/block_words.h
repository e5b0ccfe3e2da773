// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of blocks of many rows where dot products of bytes are made of products of int16 (x86 without VNNI): a block's
// numbers are widened once for all rows, a row's bytes once for a panel, and what is left are products of pairs and
// their sums. Numbers of 8 bits: of fewer, two products fit 16 bits, which is twice as fast (block_dots.h). Sums are
// those of block_dots.h, to the bit. Under block_gemm.h.
//
//   tile   kWordRows x NV vectors of int32 in registers; of each pair along k: NV loads, and a load for all lanes,
//          a product of pairs and a sum for each row
#pragma once

#include "templates/blocks/block_dots.h"
#include "templates/blocks/block_rows.h"
#include "templates/blocks/block_weights.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// Whether many rows are multiplied like this.
template <class W, class Block, class V>
constexpr bool kTakesWords =
    kMultipliesPairs && W::kBits == 8 && W::kBlock % 16 == 0 && sizeof(V) >= 16 && !kSame<Block, FloatBlock<4>>;
/// Rows of a tile: beside their sums, NV vectors of numbers and two that are at work.
template <int NV>
constexpr int kWordRows = kVectorRegisters >= 32 ? 8 : (kVectorRegisters - 4) / NV;

#if defined(__SSE2__) || defined(__wasm_simd128__)
/// The order of pairs: of 16 bytes, the first and third of each four, then the others.
SINTER_INLINE constexpr int evenPairOf(int four) { return four / 4 * 8 + four % 4; }
SINTER_INLINE constexpr int oddPairOf(int four) { return evenPairOf(four) + 4; }

/// words = a row's bytes as pairs of int16.
template <int kBlock>
SINTER_INLINE void widenRow(const ByteBlock<kBlock> &row, int32_t *words) {
  using Fours = Vec<int32_t, 4>;
  SINTER_UNROLL
  for (int four = 0; four < kBlock / 4; four += 4) {
    Fours bytes;
    memcpy(&bytes, row.bytes + four * 4, sizeof(bytes));
    store(words + evenPairOf(four), evenBytes<true>(bytes));
    store(words + oddPairOf(four), oddBytes<true>(bytes));
  }
}

/// out[R][NV] = or += a block's sums of R rows, whose numbers are in w, columns in lanes.
template <class W, int R, int NV, class V, class I>
SINTER_INLINE void addWords(const ByteBlock<W::kBlock> *a, const I (&w)[W::kBlock / 2][NV], const uint8_t *b, V *out,
                            bool isFirst) {
  constexpr int pairs = W::kBlock / 2;
  int32_t words[R][pairs];
  SINTER_UNROLL
  for (int i = 0; i < R; ++i)
    widenRow(a[i], &words[i][0]);
  I dots[R][NV] = {};
  for (int pair = 0; pair < pairs; ++pair) {
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      const I both = splat<I>(words[i][pair]);
      SINTER_UNROLL
      for (int j = 0; j < NV; ++j)
        dots[i][j] = dots[i][j] + multiplyPairs(both, w[pair][j]);
    }
  }
  SINTER_UNROLL
  for (int j = 0; j < NV; ++j) {
    const V scale = scaleAt<W, NV, V>(b, j);
    SINTER_UNROLL
    for (int i = 0; i < R; ++i) {
      V *to = out + i * NV + j;
      *to = addScaled<W, NV>(isFirst ? V{} : *to, convert<V>(dots[i][j]), a[i], scale, b, j);
    }
  }
}

/// w = a block's numbers less half of the range, where columns have no zero points.
template <class W, int NV, class I>
SINTER_INLINE void widenNumbers(const uint8_t *b, I (&w)[W::kBlock / 2][NV]) {
  constexpr bool isCentred = !W::hasZeros;
  for (int g = 0; g < W::kBlock / 4; ++g) {
    SINTER_UNROLL
    for (int j = 0; j < NV; ++j) {
      I fours = packedAt<W, NV, I>(b, g, j);
      if (isCentred)
        fours = fours ^ splat<I>(int32_t(0x80808080u));
      w[evenPairOf(g)][j] = evenBytes<isCentred>(fours);
      w[oddPairOf(g)][j] = oddBytes<isCentred>(fours);
    }
  }
}

/// out[rows][NV] = sums over all blocks of a panel at b, up to kBlockRows rows.
template <class W, int NV, class V>
void wordTiles(const ByteBlock<W::kBlock> *a, const uint8_t *b, int64_t blocks, int64_t rows, V *out) {
  using I = Like<V, int32_t>;
  constexpr int R = kWordRows<NV>;
  I w[W::kBlock / 2][NV];
  for (int64_t block = 0; block < blocks; ++block, a += rows, b += W::kBytes) {
    widenNumbers<W, NV>(b, w);
    rowTiles<R>(rows, [&](int64_t some, int64_t row) {
      SINTER_PREFETCH(b + W::kBytes + row * 64);
      withRows<(TileSizes(2) << R) - 2>(some, [&](auto fixed) {
        addWords<W, int(decltype(fixed)::value), NV>(a + row, w, b, out + row * NV, block == 0);
      });
    });
  }
}

#else
template <class W, int NV, class V>
void wordTiles(const ByteBlock<W::kBlock> *a, const uint8_t *b, int64_t blocks, int64_t rows, V *out);
#endif

} // namespace
} // namespace sinter
