// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// out = softmax(mask(scale Q K^T)) V of one head, without a matrix of scores in memory (Dao, FlashAttention-2). A warp
// has 16 queries in registers and goes over the keys in tiles, which the block's warps share; the softmax's greatest
// score and sum are carried along, and sums so far are scaled down when a greater score comes. A product's sums lie in
// lanes as the next product's rows are expected, so probabilities never leave registers.
// f16 on sm_75 on, bf16 on sm_80 on. Grid: ceil(queries / (16 kWarps)) along x, heads and batches along y and z: the
// entry moves the pointers.
#pragma once

#include "templates/cuda/matrix_unit.h"

namespace sinter::cuda {
namespace {

/// Scores as they are, for `mask(score, query, key)`.
struct NoMask {
  SINTER_DEVICE float operator()(float score, int, int) const { return score; }
};
/// A query sees the keys up to its own place, `offset` of which are before the first query.
struct CausalMask {
  int offset = 0;
  SINTER_DEVICE float operator()(float score, int query, int key) const {
    return key <= query + offset ? score : -infinity();
  }
};

/// kWidth: elements of a head. kKeys: of a tile.
template <class T, int kWidth, int kWarps, int kKeys>
struct AttentionTile {
  static constexpr int kThreads = kWarps * kWarp, kQueries = kWarps * 16;
  static constexpr int kRowBytes = kWidth * 2, kChunks = kRowBytes / 16;
  static constexpr int kTileBytes = kKeys * kRowBytes, kQueryBytes = kQueries * kRowBytes;
  /// Queries, then two tiles of keys and two of values.
  static constexpr int kSharedBytes = kQueryBytes + 4 * kTileBytes;
  static_assert(sizeof(T) == 2 && kWidth % 16 == 0 && kChunks >= 4 && kKeys % 16 == 0);

  static SINTER_DEVICE int placeOf(int row, int chunk) {
    return row * kRowBytes + (kChunks >= 8 ? chunk ^ (row & 7) : chunk ^ (row >> 1 & 3)) * 16;
  }
  /// kRows rows from `first` on, zeros for those past `rows`.
  template <int kRows>
  static SINTER_DEVICE void copyRows(SharedPlace to, const T *from, int stride, int first, int rows) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kRows * kChunks; i += kThreads) {
      const int row = (i + threadIndex()) / kChunks, chunk = (i + threadIndex()) % kChunks;
      if (row >= kRows)
        continue;
      const bool isThere = first + row < rows;
      copyChunk(to + placeOf(row, chunk), from + int64_t(isThere ? first + row : 0) * stride + chunk * 8,
                isThere ? 16 : 0);
    }
  }
};

/// A warp's sums: 16 queries, two rows of them (g and g + 8) in each lane.
template <class T, int kWidth, int kKeys>
struct AttentionRows {
  using Unit = MatrixUnit<T>;
  Words<4> queries[kWidth / 16];
  float sums[kWidth / 8][4] = {};
  float largest[2] = {-infinity(), -infinity()};
  float total[2] = {}; ///< this lane's part

  /// Scores of a tile, times log2(e), become probabilities, and what was summed before is scaled to their greatest.
  SINTER_DEVICE void rescale(float (&scores)[kKeys / 8][4]) {
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < 2; ++r) {
      float most = largest[r];
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kKeys / 8; ++j)
        most = greater(most, greater(scores[j][2 * r], scores[j][2 * r + 1]));
      most = greater(most, shuffleXor(most, 1)); // the four lanes of a row
      most = greater(most, shuffleXor(most, 2));
      const float shift = most == -infinity() ? 0.0f : most; // all masked so far
      const float factor = exp2(largest[r] - shift);
      largest[r] = most;
      total[r] *= factor;
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kWidth / 8; ++j)
        sums[j][2 * r] *= factor, sums[j][2 * r + 1] *= factor;
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kKeys / 8; ++j) {
        SINTER_DEVICE_UNROLL
        for (int e = 2 * r; e < 2 * r + 2; ++e) {
          scores[j][e] = exp2(scores[j][e] - shift);
          total[r] += scores[j][e];
        }
      }
    }
  }
};

/// Rows of Q, K, V and out: kWidth elements, strides apart, 16-byte aligned. `mask(score, query, key)`.
template <class T, int kWidth, int kWarps, int kKeys, class Mask>
SINTER_DEVICE void attention(const T *q, int strideQ, const T *k, int strideK, const T *v, int strideV, T *out,
                             int strideOut, int queries, int keys, float scale, Mask mask) {
  using Tile = AttentionTile<T, kWidth, kWarps, kKeys>;
  using Unit = MatrixUnit<T>;
  constexpr float kLog2E = 1.44269504f; // powers of two are one instruction
  const SharedPlace shared = sharedStart(), tiles = shared + Tile::kQueryBytes;
  const int firstQuery = blockX() * Tile::kQueries, lane = laneIndex();
  const auto fetch = [&](int tile) {
    const SharedPlace to = tiles + tile % 2 * 2 * Tile::kTileBytes;
    Tile::template copyRows<kKeys>(to, k, strideK, tile * kKeys, keys);
    Tile::template copyRows<kKeys>(to + Tile::kTileBytes, v, strideV, tile * kKeys, keys);
    commitCopies();
  };
  Tile::template copyRows<Tile::kQueries>(shared, q, strideQ, firstQuery, queries);
  fetch(0);
  AttentionRows<T, kWidth, kKeys> rows;
  const int query = firstQuery + warpIndex() * 16 + lane / 4;
  SINTER_DEVICE_LOOP
  for (int tile = 0; tile < ceilDiv(keys, kKeys); ++tile) {
    waitCopies<0>();
    syncBlock(); // the tile is there, and all have left the one that is now fetched over
    if ((tile + 1) * kKeys < keys)
      fetch(tile + 1);
    if (tile == 0) {
      SINTER_DEVICE_UNROLL
      for (int d = 0; d < kWidth / 16; ++d)
        loadMatrices(rows.queries[d].at, shared + Tile::placeOf(warpIndex() * 16 + lane % 16, 2 * d + lane / 16));
    }
    const SharedPlace tileK = tiles + tile % 2 * 2 * Tile::kTileBytes, tileV = tileK + Tile::kTileBytes;
    float scores[kKeys / 8][4] = {};
    SINTER_DEVICE_UNROLL
    for (int d = 0; d < kWidth / 16; ++d) {
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kKeys / 16; ++j) {
        uint32_t words[4];
        loadMatrices(words, tileK + Tile::placeOf(j * 16 + lane % 8 + lane / 16 * 8, 2 * d + lane / 8 % 2));
        Unit::multiply(scores[2 * j], rows.queries[d], Words<2>{{words[0], words[1]}});
        Unit::multiply(scores[2 * j + 1], rows.queries[d], Words<2>{{words[2], words[3]}});
      }
    }
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kKeys / 8; ++j) {
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int key = tile * kKeys + j * 8 + lane % 4 * 2 + e % 2;
        scores[j][e] = key < keys ? mask(scores[j][e] * scale, query + e / 2 * 8, key) * kLog2E : -infinity();
      }
    }
    rows.rescale(scores);
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kKeys / 16; ++j) {
      const Words<4> weights{{packPair<T>(scores[2 * j][0], scores[2 * j][1]),
                              packPair<T>(scores[2 * j][2], scores[2 * j][3]),
                              packPair<T>(scores[2 * j + 1][0], scores[2 * j + 1][1]),
                              packPair<T>(scores[2 * j + 1][2], scores[2 * j + 1][3])}};
      SINTER_DEVICE_UNROLL
      for (int d = 0; d < kWidth / 16; ++d) {
        uint32_t words[4];
        loadTransposed(words, tileV + Tile::placeOf(j * 16 + lane % 16, 2 * d + lane / 16));
        Unit::multiply(rows.sums[2 * d], weights, Words<2>{{words[0], words[1]}});
        Unit::multiply(rows.sums[2 * d + 1], weights, Words<2>{{words[2], words[3]}});
      }
    }
  }
  SINTER_DEVICE_UNROLL
  for (int r = 0; r < 2; ++r) {
    float total = rows.total[r];
    total += shuffleXor(total, 1);
    total += shuffleXor(total, 2);
    const float factor = 1.0f / total;
    if (query + r * 8 >= queries)
      continue;
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kWidth / 8; ++j)
      *reinterpret_cast<uint32_t *>(out + int64_t(query + r * 8) * strideOut + j * 8 + lane % 4 * 2) =
          packPair<T>(rows.sums[j][2 * r] * factor, rows.sums[j][2 * r + 1] * factor);
  }
}

} // namespace
} // namespace sinter::cuda
