// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a block of small numbers (block_weights.h) times rows of bytes by dot products of four
// (templates/dot4/int_dot.h): numbers are unpacked in registers and multiplied at once. Where products take lanes, a
// row's bytes are loaded a vector at a time; else four of them for all lanes. Of at least two rows with instructions
// for small matrices: block_squares.h. Under block_gemm.h.
#pragma once

#include "templates/blocks/block_rows.h"
#include "templates/blocks/block_weights.h"

namespace sinter {
namespace {

/// Weights are fetched so many bytes before they are read, step by step: all of a long block at once would be more than
/// can be under way. Measured: with AVX2 (Zen 3) 768 takes 0.88 of the time of 1536, with AVX-512 the latter is best.
constexpr int64_t kBlockAhead = SINTER_VECTOR_BYTES == 64 ? 1536 : 768;

/// How many groups of a block are spelled out one after the other: compilers take minutes for all of a long one.
SINTER_INLINE constexpr int unrolledGroups(int groups) {
  int unrolled = groups;
  for (int parts = 1; unrolled > 8; unrolled = groups / parts)
    while (groups % ++parts) {
    }
  return unrolled;
}

/// dots = a block's sums of numbers times bytes, of R rows with `vectors` vectors of columns, of which each NV are a
/// panel's; less half of the range times the sum of the bytes, if there are no zero points. b(j): where the block of
/// vector j's panel begins.
template <class W, int R, int NV, int vectors, class I, class Weights>
SINTER_INLINE void dotsByFours(const ByteBlock<W::kBlock> *a, Weights b, I (&dots)[R][vectors]) {
  constexpr int groups = W::kBlock / W::kGroup, unrolled = unrolledGroups(groups);
  constexpr int steps = unrolled * W::kParts, together = kPairSteps<W, I>;
  I pairs[R][vectors] = {};
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      dots[i][j] = firstDot<W, I>(a[i]);
  }
  for (int first = 0; first < groups; first += unrolled) {
    SINTER_UNROLL
    for (int k = 0; k < unrolled; ++k) {
      const int g = first + k;
      I packed[vectors];
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j) {
        packed[j] = packedAt<W, NV, I>(b(j), g, j % NV);
        SINTER_PREFETCH(b(j) + (g * NV + j % NV) * int64_t(sizeof(I)) + kBlockAhead);
      }
      SINTER_UNROLL
      for (int part = 0; part < W::kParts; ++part) {
        I numbers[vectors];
        SINTER_UNROLL
        for (int j = 0; j < vectors; ++j)
          numbers[j] = factorsOf<W>(packed[j], part);
        SINTER_UNROLL
        for (int i = 0; i < R; ++i) {
          int32_t four;
          memcpy(&four, a[i].bytes + (g * W::kParts + part) * 4, sizeof(four));
          SINTER_UNROLL
          for (int j = 0; j < vectors; ++j)
            if constexpr (together > 0)
              pairs[i][j] = addPairs(pairs[i][j], numbers[j], splat<I>(four));
            else
              dots[i][j] = dotNumbers<W>(dots[i][j], numbers[j], splat<I>(four));
        }
        if constexpr (together > 0)
          if (const int step = k * W::kParts + part + 1; step % together == 0 || step == steps) {
            SINTER_UNROLL
            for (int i = 0; i < R; ++i) {
              SINTER_UNROLL
              for (int j = 0; j < vectors; ++j) {
                dots[i][j] = sumPairs(dots[i][j], pairs[i][j]);
                pairs[i][j] = I{};
              }
            }
          }
      }
    }
  }
}

/// sum + a block's scales times its dot products, which firstDot began, of one row by vector j of a panel's block at b.
template <class W, int NV, class V, class Row>
SINTER_INLINE V addScaled(V sum, V dot, const Row &row, V scale, const uint8_t *b, int j) {
  if constexpr (W::hasZeros)
    dot = dot - zeroAt<W, NV, V>(b, j) * splat<V>(float(row.sum));
  return fma(dot, scale * splat<V>(row.scale), sum);
}

/// Whether a row's bytes are loaded a vector at a time, of which products take lanes.
template <class W, class I>
constexpr bool kDotsByLanes = kHasDotByLane<true, I> && W::kBlock % 16 == 0;
/// dotsByFours by such lanes.
template <class W, int R, int NV, int vectors, class I, class Weights>
SINTER_INLINE void dotsByLanes(const ByteBlock<W::kBlock> *a, Weights b, I (&dots)[R][vectors]) {
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < vectors; ++j)
      dots[i][j] = firstDot<W, I>(a[i]);
  }
  for (int64_t first = 0; first < W::kBlock; first += 16) {
    I rows[R];
    SINTER_UNROLL
    for (int i = 0; i < R; ++i)
      memcpy(&rows[i], a[i].bytes + first, sizeof(I));
    const int64_t behind = first * NV * kLanesOf<I> / W::kParts; // in a block
    SINTER_UNROLL
    for (int j = 0; j < vectors; j += NV) {
      SINTER_UNROLL
      for (int line = 0; line < NV * int(sizeof(I)) * 4 / W::kParts; line += 64)
        SINTER_PREFETCH(b(j) + behind + line + kBlockAhead);
    }
    const auto lane = [&](auto fixed) SINTER_INLINE_LAMBDA {
      constexpr int kLane = int(decltype(fixed)::value);
      SINTER_IN_ORDER; // as in int_tile.h
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j) {
        const I packed = packedAt<W, NV, I>(b(j) + behind, kLane / W::kParts, j % NV);
        const I numbers = factorsOf<W>(packed, kLane % W::kParts);
        SINTER_UNROLL
        for (int i = 0; i < R; ++i)
          dots[i][j] = dot4Lane<true, kLane>(dots[i][j], rows[i], numbers);
      }
    };
    lane(Fixed<0>{});
    lane(Fixed<1>{});
    lane(Fixed<2>{});
    lane(Fixed<3>{});
  }
}

} // namespace
} // namespace sinter
