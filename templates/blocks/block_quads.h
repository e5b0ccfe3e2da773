// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of blocks of many rows where dot products take lanes (templates/dot4/int_dot.h): one vector of columns, of which
// a block's numbers stay unpacked in registers while rows pass by in fours. ggml multiplies prompts like this, too.
// Sums are those of block_dots.h, to the bit. Under block_gemm.h.
#pragma once

#include "templates/blocks/block_dots.h"
#include "templates/blocks/block_rows.h"
#include "templates/blocks/block_weights.h"
#include "templates/dot4/matrix_tile.h"

namespace sinter {
namespace {

/// Fours of rows that share what is unpacked: their sums, a block's numbers and what is at work fill 32 registers.
constexpr int kQuadsTogether = 3;
/// Whether many rows are multiplied like this.
template <class W, class Block, class V>
constexpr bool kTakesQuads =
    kDotsByLanes<W, Like<V, int32_t>> && !kHasSquares && !kSame<Block, FloatBlock<4>> && W::kBlock <= 32;

/// factorsOf less half of the range where columns have no zero points: once for all rows, instead of firstDot.
template <class W, class I>
SINTER_INLINE I centredFactors(I packed, int part) {
  const I factors = factorsOf<W>(packed, part);
  if constexpr (W::hasZeros || kTakenOff<W> != 0) {
    return factors;
  } else {
    using B = Vec<uint8_t, int(sizeof(I))>;
    return (I)((B)factors - splat<B>(uint8_t(W::kHalfRange)));
  }
}

/// out[i * NV + j] = sums over all blocks of 4 * Q rows, `pitch` apart in A, by vector j of the panel at b.
template <class W, int Q, int NV, class V>
void quadsTile(const ByteBlock<W::kBlock> *a, int64_t pitch, const uint8_t *b, int j, int64_t blocks, V *out) {
  using I = Like<V, int32_t>;
  V sums[4 * Q] = {};
  for (int64_t block = 0; block < blocks; ++block, a += pitch, b += W::kBytes) {
    I numbers[W::kBlock / 4];
    SINTER_UNROLL
    for (int g = 0; g < W::kBlock / W::kGroup; ++g) {
      const I packed = packedAt<W, NV, I>(b, g, j);
      SINTER_UNROLL
      for (int part = 0; part < W::kParts; ++part)
        numbers[g * W::kParts + part] = centredFactors<W>(packed, part);
    }
    SINTER_PREFETCH(b + kBlockAhead);
    const V scale = scaleAt<W, NV, V>(b, j);
    SINTER_UNROLL
    for (int quad = 0; quad < Q; ++quad) {
      SINTER_IN_ORDER; // else rows of all fours are read at once, and registers are lacking
      const ByteBlock<W::kBlock> *rows = a + quad * 4;
      I dots[4];
      SINTER_UNROLL
      for (int i = 0; i < 4; ++i)
        dots[i] = W::hasZeros ? firstDot<W, I>(rows[i]) : I{};
      SINTER_UNROLL
      for (int v = 0; v < W::kBlock / 16; ++v) {
        I bytes[4];
        SINTER_UNROLL
        for (int i = 0; i < 4; ++i)
          memcpy(&bytes[i], rows[i].bytes + v * 16, sizeof(I));
        const auto lane = [&](auto fixed) SINTER_INLINE_LAMBDA {
          constexpr int kLane = int(decltype(fixed)::value);
          SINTER_UNROLL
          for (int i = 0; i < 4; ++i)
            dots[i] = dot4Lane<true, kLane>(dots[i], bytes[i], numbers[v * 4 + kLane]);
        };
        lane(Fixed<0>{});
        lane(Fixed<1>{});
        lane(Fixed<2>{});
        lane(Fixed<3>{});
      }
      SINTER_UNROLL
      for (int i = 0; i < 4; ++i)
        sums[quad * 4 + i] = addScaled<W, NV>(sums[quad * 4 + i], convert<V>(dots[i]), rows[i], scale, b, j);
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < 4 * Q; ++i)
    out[i * NV + j] = sums[i];
}

} // namespace
} // namespace sinter
