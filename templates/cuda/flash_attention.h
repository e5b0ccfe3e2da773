// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// out = softmax(scale Q K^T + mask) V of one head, without a matrix of scores in memory (Dao, FlashAttention-2). A warp
// has 16 queries in registers and goes over the keys in tiles; the softmax's greatest score and sum are carried along,
// and sums so far are scaled down when a greater score comes. A product's sums lie in lanes as the next product's rows
// are expected, so probabilities never leave registers.
// Where queries are few, several warps have the same ones and share the keys of each tile: what they have is merged at
// the end, in an order that is always the same.
// f16 on sm_75 on, bf16 on sm_80 on. Generated code comes in by attention_tiles.h.
#pragma once

#include "templates/cuda/attention_shape.h"
#include "templates/cuda/matrix_unit.h"

namespace sinter::cuda {
namespace {

/// What is added to scores: nothing.
struct NoMask {
  static constexpr bool kIsNone = true;
  SINTER_DEVICE float operator()(int, int) const { return 0.0f; }
};
/// A query sees the keys up to its own place, `offset` of which are before the first query.
struct CausalMask {
  static constexpr bool kIsNone = false;
  int offset = 0;
  SINTER_DEVICE float operator()(int query, int key) const { return key <= query + offset ? 0.0f : -infinity(); }
};
/// A number in memory for each query and key; `row`: from a query to the next, 0 where all have the same.
template <class M>
struct AddedMask {
  static constexpr bool kIsNone = false;
  const M *data;
  int64_t row;
  SINTER_DEVICE float operator()(int query, int key) const { return toFloat(data[query * row + key]); }
};

/// Rows of a head: `size` elements each, `stride` apart.
template <class T>
struct HeadRows {
  const T *data;
  int stride, rows, size;
};

/// Sizes: attention_shape.h. Heads may be smaller than there is room for.
template <class T, int depth, int width, int rowWarps, int keyWarps, int keysOfWarp, int stages>
struct AttentionTile {
  using Element = T;
  static constexpr AttentionShape kShape = {depth, width, rowWarps, keyWarps, keysOfWarp, stages};
  static constexpr int kDepth = depth, kWidth = width, kRowWarps = rowWarps, kKeyWarps = keyWarps, kKeys = keysOfWarp,
                       kStages = stages;
  static constexpr int kThreads = kShape.threads(), kQueries = kShape.queries(), kTileKeys = kShape.tileKeys(),
                       kQueryBytes = kShape.queryBytes(), kKeyBytes = kShape.keyBytes(),
                       kStageBytes = kShape.stageBytes(), kPitch = kShape.pitch(), kSharedBytes = kShape.sharedBytes();
  /// Queries stay in registers where there are enough of them.
  static constexpr bool kHoldsQueries = kDepth <= 128;
  static_assert(sizeof(T) == 2 && kDepth % 32 == 0 && kWidth % 32 == 0 && kKeys % 16 == 0);

  /// Of a chunk in rows of kSize elements: the eight rows of a load of matrices lie in different banks.
  template <int kSize>
  static SINTER_DEVICE int placeOf(int row, int chunk) {
    return row * kSize * 2 + (kSize % 64 == 0 ? chunk ^ (row & 7) : chunk ^ (row >> 1 & 3)) * 16;
  }
  /// kRows rows from `first` on, zeros behind their elements and for rows that are not there.
  template <int kRows, int kSize, bool kAligned>
  static SINTER_DEVICE void copyRows(SharedPlace to, const HeadRows<T> &from, int first) {
    constexpr int kChunks = kSize / 8;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kRows * kChunks; i += kThreads) {
      const int row = (i + threadIndex()) / kChunks, chunk = (i + threadIndex()) % kChunks;
      if (row >= kRows)
        continue;
      const int left = from.size - chunk * 8, there = first + row < from.rows ? upTo(8, left) : 0;
      const T *const data = from.data + (there > 0 ? int64_t(first + row) * from.stride + chunk * 8 : 0);
      if constexpr (kAligned)
        copyChunk(to + placeOf<kSize>(row, chunk), data, there * 2);
      else
        gatherChunk(to + placeOf<kSize>(row, chunk), data, there);
    }
  }
};

/// A warp's sums: 16 queries, two rows of them (g and g + 8) in each lane.
template <class Tile>
struct AttentionRows {
  using T = typename Tile::Element;
  using Unit = MatrixUnit<T>;
  static constexpr int kKeys = Tile::kKeys, kSums = Tile::kWidth / 8;
  Words<4> queries[Tile::kHoldsQueries ? Tile::kDepth / 16 : 1];
  float sums[kSums][4] = {};
  float largest[2] = {-infinity(), -infinity()};
  float total[2] = {}; ///< this lane's part

  SINTER_DEVICE void loadQueries(int at, SharedPlace rows, int d) {
    const int lane = laneIndex();
    loadMatrices(queries[at].at, rows + Tile::template placeOf<Tile::kDepth>(
                                            warpIndex() % Tile::kRowWarps * 16 + lane % 16, 2 * d + lane / 16));
  }
  /// Products of the queries and of kKeys keys, the first of them in row `firstKey` of the tile.
  SINTER_DEVICE void multiplyKeys(float (&scores)[kKeys / 8][4], SharedPlace shared, SharedPlace keys, int firstKey) {
    const int lane = laneIndex();
    SINTER_DEVICE_UNROLL
    for (int d = 0; d < Tile::kDepth / 16; ++d) {
      if (!Tile::kHoldsQueries)
        loadQueries(0, shared, d);
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kKeys / 16; ++j) {
        uint32_t words[4];
        loadMatrices(words, keys + Tile::template placeOf<Tile::kDepth>(firstKey + j * 16 + lane % 8 + lane / 16 * 8,
                                                                        2 * d + lane / 8 % 2));
        const Words<4> &own = queries[Tile::kHoldsQueries ? d : 0];
        Unit::multiply(scores[2 * j], own, Words<2>{{words[0], words[1]}});
        Unit::multiply(scores[2 * j + 1], own, Words<2>{{words[2], words[3]}});
      }
    }
  }
  /// Scores of a tile become probabilities, and what was summed before is scaled to their greatest.
  SINTER_DEVICE void rescale(float (&scores)[kKeys / 8][4]) {
    constexpr float kLog2E = 1.44269504f; // powers of two are one instruction
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < 2; ++r) {
      float most = largest[r];
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kKeys / 8; ++j)
        most = greater(most, greater(scores[j][2 * r], scores[j][2 * r + 1]));
      most = greater(most, shuffleXor(most, 1)); // the four lanes of a row
      most = greater(most, shuffleXor(most, 2));
      const float shift = most == -infinity() ? 0.0f : most; // all masked so far
      const float factor = exp2((largest[r] - shift) * kLog2E);
      largest[r] = most;
      total[r] *= factor;
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kSums; ++j)
        sums[j][2 * r] *= factor, sums[j][2 * r + 1] *= factor;
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kKeys / 8; ++j) {
        SINTER_DEVICE_UNROLL
        for (int e = 2 * r; e < 2 * r + 2; ++e) {
          scores[j][e] = exp2((scores[j][e] - shift) * kLog2E); // the difference first: scores may be huge
          total[r] += scores[j][e];
        }
      }
    }
  }
  /// sums += the scores, as probabilities, times values, the first of them in row `firstKey` of the tile.
  SINTER_DEVICE void addValues(const float (&scores)[kKeys / 8][4], SharedPlace values, int firstKey) {
    const int lane = laneIndex();
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kKeys / 16; ++j) {
      const Words<4> weights{{packPair<T>(scores[2 * j][0], scores[2 * j][1]),
                              packPair<T>(scores[2 * j][2], scores[2 * j][3]),
                              packPair<T>(scores[2 * j + 1][0], scores[2 * j + 1][1]),
                              packPair<T>(scores[2 * j + 1][2], scores[2 * j + 1][3])}};
      SINTER_DEVICE_UNROLL
      for (int d = 0; d < Tile::kWidth / 16; ++d) {
        uint32_t words[4];
        loadTransposed(words,
                       values + Tile::template placeOf<Tile::kWidth>(firstKey + j * 16 + lane % 16, 2 * d + lane / 16));
        Unit::multiply(sums[2 * d], weights, Words<2>{{words[0], words[1]}});
        Unit::multiply(sums[2 * d + 1], weights, Words<2>{{words[2], words[3]}});
      }
    }
  }
  SINTER_DEVICE void addUpTotals() {
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < 2; ++r) {
      total[r] += shuffleXor(total[r], 1);
      total[r] += shuffleXor(total[r], 2);
    }
  }
};

/// Where results go: rows of `size` elements, `stride` apart; `zerosMasked`: a row that sees no key is 0, else NaN.
template <class T>
struct HeadResults {
  T *data;
  int stride, rows, size;
  bool zerosMasked;

  /// By what a row's sums are multiplied.
  SINTER_DEVICE float factorOf(float total) const { return zerosMasked && total == 0.0f ? 0.0f : 1.0f / total; }
  /// Columns j and j + 1 of a row, of its sums.
  template <bool kAligned>
  SINTER_DEVICE void store(int row, int j, float a, float b, float factor) const {
    if (row >= rows || j >= size)
      return;
    T *const to = data + int64_t(row) * stride + j;
    if (kAligned && size % 2 == 0) {
      *reinterpret_cast<uint32_t *>(to) = packPair<T>(a * factor, b * factor);
      return;
    }
    to[0] = stored<T>(a * factor);
    if (j + 1 < size)
      to[1] = stored<T>(b * factor);
  }
};

/// What the warps that shared the keys have, as one. All threads of the block come here.
template <class Tile, bool kAligned>
SINTER_DEVICE void mergeWarps(const AttentionRows<Tile> &rows, const HeadResults<typename Tile::Element> &out,
                              int firstQuery) {
  constexpr float kLog2E = 1.44269504f;
  float *const sums = sharedMemoryAs<float>();
  float *const marks = sums + Tile::kKeyWarps * Tile::kQueries * Tile::kPitch; // of each row the greatest, the total
  const int lane = laneIndex(), keyWarp = warpIndex() / Tile::kRowWarps;
  syncBlock(); // nobody reads tiles any more
  SINTER_DEVICE_UNROLL
  for (int r = 0; r < 2; ++r) {
    const int row = keyWarp * Tile::kQueries + warpIndex() % Tile::kRowWarps * 16 + lane / 4 + r * 8;
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kWidth / 8; ++j)
      *reinterpret_cast<Pack<float, 2> *>(sums + row * Tile::kPitch + j * 8 +
                                          lane % 4 * 2) = {{rows.sums[j][2 * r], rows.sums[j][2 * r + 1]}};
    if (lane % 4 == 0)
      *reinterpret_cast<Pack<float, 2> *>(marks + row * 2) = {{rows.largest[r], rows.total[r]}};
  }
  syncBlock();
  constexpr int kPairs = Tile::kWidth / 2;
  SINTER_DEVICE_LOOP
  for (int i = threadIndex(); i < Tile::kQueries * kPairs; i += Tile::kThreads) {
    const int row = i / kPairs, column = i % kPairs * 2;
    float most = -infinity(), total = 0.0f, a = 0.0f, b = 0.0f;
    SINTER_DEVICE_UNROLL
    for (int w = 0; w < Tile::kKeyWarps; ++w)
      most = greater(most, marks[(w * Tile::kQueries + row) * 2]);
    const float shift = most == -infinity() ? 0.0f : most;
    SINTER_DEVICE_UNROLL
    for (int w = 0; w < Tile::kKeyWarps; ++w) {
      const int at = w * Tile::kQueries + row;
      const float factor = exp2((marks[at * 2] - shift) * kLog2E);
      total = fma(marks[at * 2 + 1], factor, total);
      a = fma(sums[at * Tile::kPitch + column], factor, a);
      b = fma(sums[at * Tile::kPitch + column + 1], factor, b);
    }
    out.template store<kAligned>(firstQuery + row, column, a, b, out.factorOf(total));
  }
}

/// The block's queries begin at `firstQuery`. `mask(query, key)` is added to scaled scores. kAligned: rows of all
/// operands begin at multiples of 16 bytes; else elements are taken one by one.
template <class Tile, bool kAligned, class T, class Mask>
SINTER_DEVICE void attention(const HeadRows<T> &q, const HeadRows<T> &k, const HeadRows<T> &v,
                             const HeadResults<T> &out, int firstQuery, float scale, Mask mask) {
  const SharedPlace shared = sharedStart();
  const auto placeOfTile = [&](int tile) {
    return shared + Tile::kQueryBytes + tile % Tile::kStages * Tile::kStageBytes;
  };
  const auto fetch = [&](int tile) {
    const SharedPlace to = placeOfTile(tile);
    Tile::template copyRows<Tile::kTileKeys, Tile::kDepth, kAligned>(to, k, tile * Tile::kTileKeys);
    Tile::template copyRows<Tile::kTileKeys, Tile::kWidth, kAligned>(to + Tile::kKeyBytes, v, tile * Tile::kTileKeys);
  };
  const int tiles = ceilDiv(k.rows, Tile::kTileKeys), firstOfWarp = warpIndex() / Tile::kRowWarps * Tile::kKeys;
  Tile::template copyRows<Tile::kQueries, Tile::kDepth, kAligned>(shared, q, firstQuery);
  SINTER_DEVICE_LOOP
  for (int stage = 0; stage < Tile::kStages; ++stage) {
    if (stage < tiles)
      fetch(stage);
    commitCopies(); // also of nothing: waits count groups
  }
  AttentionRows<Tile> rows;
  const int lane = laneIndex(), query = firstQuery + warpIndex() % Tile::kRowWarps * 16 + lane / 4;
  SINTER_DEVICE_LOOP
  for (int tile = 0; tile < tiles; ++tile) {
    waitCopies<Tile::kStages - 1>();
    syncBlock();
    const int firstKey = tile * Tile::kTileKeys + firstOfWarp;
    if (firstKey < k.rows) { // the warp as a whole
      float scores[Tile::kKeys / 8][4] = {}, added[Tile::kKeys / 8][4] = {};
      if (!Mask::kIsNone) { // on their way while products are made
        SINTER_DEVICE_UNROLL
        for (int j = 0; j < Tile::kKeys / 8; ++j) {
          SINTER_DEVICE_UNROLL
          for (int e = 0; e < 4; ++e)
            added[j][e] =
                mask(least(query + e / 2 * 8, q.rows - 1), least(firstKey + j * 8 + lane % 4 * 2 + e % 2, k.rows - 1));
        }
      }
      if (Tile::kHoldsQueries && tile == 0) {
        SINTER_DEVICE_UNROLL
        for (int d = 0; d < Tile::kDepth / 16; ++d)
          rows.loadQueries(d, shared, d);
      }
      rows.multiplyKeys(scores, shared, placeOfTile(tile), firstOfWarp);
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < Tile::kKeys / 8; ++j) {
        SINTER_DEVICE_UNROLL
        for (int e = 0; e < 4; ++e) {
          const float score = Mask::kIsNone ? scores[j][e] * scale : fma(scores[j][e], scale, added[j][e]);
          scores[j][e] = firstKey + j * 8 + lane % 4 * 2 + e % 2 < k.rows ? score : -infinity();
        }
      }
      rows.rescale(scores);
      rows.addValues(scores, placeOfTile(tile) + Tile::kKeyBytes, firstOfWarp);
    }
    syncBlock(); // all have left the tile that is now fetched over
    if (tile + Tile::kStages < tiles)
      fetch(tile + Tile::kStages);
    commitCopies();
  }
  rows.addUpTotals();
  if constexpr (Tile::kKeyWarps > 1) {
    mergeWarps<Tile, kAligned>(rows, out, firstQuery);
  } else {
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const float factor = out.factorOf(rows.total[r]);
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < Tile::kWidth / 8; ++j)
        out.template store<kAligned>(query + r * 8, j * 8 + lane % 4 * 2, rows.sums[j][2 * r], rows.sums[j][2 * r + 1],
                                     factor);
    }
  }
}

} // namespace
} // namespace sinter::cuda
