// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// out = softmax(scale Q K^T + mask) V of one head, without a matrix of scores in memory (Dao, FlashAttention-2). A warp
// has 16 queries in registers and goes over the keys in tiles; the softmax's greatest score and sum are carried along,
// and sums so far are scaled down when a greater score comes. A product's sums lie in lanes as the next product's rows
// are expected (attention_operands.h), so probabilities never leave registers.
// Where queries are few, several warps have the same ones and share the keys of each tile: what they have is merged at
// the end, in an order that is always the same.
// f16 on sm_75 on, bf16 and float, as three products of TF32, on sm_80 on. Generated code comes in by
// attention_tiles.h.
#pragma once

#include "templates/cuda/attention_operands.h"
#include "templates/cuda/attention_shape.h"
#include "templates/cuda/head_rows.h"

namespace sinter::cuda {
namespace {

/// Sizes: attention_shape.h. Heads may be smaller than there is room for.
template <class T, int depth, int width, int rowWarps, int keyWarps, int keysOfWarp, int stages>
struct AttentionTile {
  using Element = T;
  static constexpr AttentionShape kShape = {depth, width, rowWarps, keyWarps, keysOfWarp, stages, int(sizeof(T))};
  static constexpr int kDepth = depth, kWidth = width, kRowWarps = rowWarps, kKeyWarps = keyWarps, kKeys = keysOfWarp,
                       kStages = stages;
  static constexpr int kThreads = kShape.threads(), kQueries = kShape.queries(), kTileKeys = kShape.tileKeys(),
                       kQueryBytes = kShape.queryBytes(), kKeyBytes = kShape.keyBytes(),
                       kStageBytes = kShape.stageBytes(), kPitch = kShape.pitch(), kSharedBytes = kShape.sharedBytes();
  static constexpr bool kHoldsQueries = kShape.holdsQueries();
  /// Instructions of the unit for all of a head, 32 bytes each.
  static constexpr int kSteps = kDepth * int(sizeof(T)) / 32;
  static_assert(kDepth % 32 == 0 && kWidth % 32 == 0 && kKeys % 16 == 0);

  /// Of a chunk in rows of kSize elements: the eight rows of a load of matrices lie in different banks.
  template <int kSize>
  static SINTER_DEVICE int placeOf(int row, int chunk) {
    constexpr int kBytes = kSize * int(sizeof(T));
    return row * kBytes + (kBytes % 128 == 0 ? chunk ^ (row & 7) : chunk ^ (row >> 1 & 3)) * 16;
  }
  /// kRows rows from `first` on, zeros behind their elements and for rows that are not there. Where the threads are
  /// whole rows of chunks, each keeps to one chunk and goes down the rows.
  template <int kRows, int kSize, bool kAligned>
  static SINTER_DEVICE void copyRows(SharedPlace to, const HeadRows<T> &from, int first) {
    constexpr int kElements = kPerChunk<T>, kChunks = kSize / kElements, kPass = kThreads / kChunks;
    constexpr bool kKeepsChunk = kThreads % kChunks == 0;
    const int ownRow = threadIndex() / kChunks, ownChunk = threadIndex() % kChunks;
    const T *const own = from.data + int64_t(first + ownRow) * from.stride + ownChunk * kElements;
    const int64_t pass = int64_t(kPass) * from.stride;
    SINTER_DEVICE_UNROLL_BY(8)
    for (int i = 0; i < ceilDiv(kRows * kChunks, kThreads); ++i) {
      const int at = i * kThreads + threadIndex();
      const int row = kKeepsChunk ? ownRow + i * kPass : at / kChunks, chunk = kKeepsChunk ? ownChunk : at % kChunks;
      if (kRows * kChunks % kThreads != 0 && row >= kRows)
        continue;
      const int there = first + row < from.rows ? upTo(kElements, from.size - chunk * kElements) : 0;
      const T *const data =
          kKeepsChunk ? own + i * pass : from.data + int64_t(first + row) * from.stride + chunk * kElements;
      if constexpr (kAligned)
        copyChunk(to + placeOf<kSize>(row, chunk), data, there * int(sizeof(T)));
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
  using Values = ValueProduct<T>;
  static constexpr int kKeys = Tile::kKeys, kSums = Tile::kWidth / 8, kRuns = Tile::kWidth / (4 * Values::kRun);
  uint32_t queries[Tile::kHoldsQueries ? Tile::kSteps : 1][4];
  float sums[kSums][4] = {};
  float largest[2] = {-infinity(), -infinity()};
  float total[2] = {}; ///< this lane's part

  SINTER_DEVICE void loadQueries(int at, SharedPlace rows, int d) {
    const int lane = laneIndex();
    loadMatrices(queries[at], rows + Tile::template placeOf<Tile::kDepth>(
                                         warpIndex() % Tile::kRowWarps * 16 + lane % 16, 2 * d + lane / 16));
  }
  /// Products of the queries and of kKeys keys, the first of them in row `firstKey` of the tile; from zeros.
  SINTER_DEVICE void multiplyKeys(float (&scores)[kKeys / 8][4], SharedPlace shared, SharedPlace keys, int firstKey) {
    // Where a sum takes several products one after the other, those of other keys come between them.
    constexpr int kAtOnce = Unit::kProducts > 1 ? least(kKeys, 32) : 16, kPromoted = 4;
    const int lane = laneIndex();
    float part[kKeys / 8][4] = {};
    SINTER_DEVICE_UNROLL
    for (int d = 0; d < Tile::kSteps; ++d) {
      if (!Tile::kHoldsQueries)
        loadQueries(0, shared, d);
      const auto own = Unit::operand(queries[Tile::kHoldsQueries ? d : 0]);
      SINTER_DEVICE_UNROLL
      for (int first = 0; first < kKeys; first += kAtOnce) {
        typename Unit::template Operand<2> b[kAtOnce / 8];
        SINTER_DEVICE_UNROLL
        for (int j = 0; j < kAtOnce / 8; j += 2) {
          uint32_t words[4];
          loadMatrices(words, keys + Tile::template placeOf<Tile::kDepth>(
                                         firstKey + first + j * 8 + lane % 8 + lane / 16 * 8, 2 * d + lane / 8 % 2));
          b[j] = Unit::operand({words[0], words[1]});
          b[j + 1] = Unit::operand({words[2], words[3]});
        }
        SINTER_DEVICE_UNROLL
        for (int product = 0; product < Unit::kProducts; ++product) {
          SINTER_DEVICE_UNROLL
          for (int j = 0; j < kAtOnce / 8; ++j)
            Unit::multiply((Unit::kPromote ? part : scores)[first / 8 + j], own, b[j], product);
        }
      }
      if (Unit::kPromote && d % kPromoted == kPromoted - 1)
        addPart(scores, 0, part);
    }
  }
  /// Of all sums those from `first` on += a part of them, which is zero then.
  template <int kAll, int kPart>
  static SINTER_DEVICE void addPart(float (&all)[kAll][4], int first, float (&part)[kPart][4]) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kPart; ++i) {
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < 4; ++e) {
        all[first + i][e] += part[i][e];
        part[i][e] = 0.0f;
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
    constexpr int kSteps = kKeys / Values::kKeys, kOfLoad = Values::kColumns / 8;
    // Sums that are promoted begin anew for each tile of keys: those of a few columns at a time.
    constexpr int kAtOnce = Unit::kPromote ? Values::kColumns : Tile::kWidth;
    typename Unit::template Operand<4> weights[kSteps];
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kSteps; ++j)
      weights[j] = Values::weights(scores, j);
    float part[kAtOnce / 8][4] = {};
    SINTER_DEVICE_UNROLL
    for (int first = 0; first < Tile::kWidth; first += kAtOnce) {
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < kSteps; ++j) {
        SINTER_DEVICE_UNROLL
        for (int column = 0; column < kAtOnce; column += Values::kColumns) {
          typename Unit::template Operand<2> b[kOfLoad];
          Values::template load<Tile>(b, values, firstKey + j * Values::kKeys, first + column);
          SINTER_DEVICE_UNROLL
          for (int product = 0; product < Unit::kProducts; ++product) {
            SINTER_DEVICE_UNROLL
            for (int i = 0; i < kOfLoad; ++i)
              Unit::multiply(Unit::kPromote ? part[i] : sums[column / 8 + i], weights[j], b[i], product);
          }
        }
      }
      if (Unit::kPromote)
        addPart(sums, first / 8, part);
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

/// Whether a row's total and a run of its sums are numbers.
template <int kRun>
SINTER_DEVICE bool areFinite(float total, const Pack<float, kRun> &run) {
  bool all = total - total == 0;
  SINTER_DEVICE_UNROLL
  for (const float &each : run.at)
    all &= each - each == 0;
  return all;
}

/// What the warps that shared the keys have, as one. Whether all that this thread stored is finite. All threads of the
/// block come here.
template <class Tile, bool kAligned>
SINTER_DEVICE bool mergeWarps(const AttentionRows<Tile> &rows, const HeadResults<typename Tile::Element> &out,
                              int firstQuery) {
  constexpr float kLog2E = 1.44269504f;
  using Values = ValueProduct<typename Tile::Element>;
  using Run = Pack<float, Values::kRun>;
  float *const sums = sharedMemoryAs<float>();
  float *const marks = sums + Tile::kKeyWarps * Tile::kQueries * Tile::kPitch; // of each row the greatest, the total
  const int lane = laneIndex(), keyWarp = warpIndex() / Tile::kRowWarps;
  syncBlock(); // nobody reads tiles any more
  SINTER_DEVICE_UNROLL
  for (int r = 0; r < 2; ++r) {
    const int row = keyWarp * Tile::kQueries + warpIndex() % Tile::kRowWarps * 16 + lane / 4 + r * 8;
    SINTER_DEVICE_UNROLL
    for (int run = 0; run < AttentionRows<Tile>::kRuns; ++run)
      *reinterpret_cast<Run *>(sums + row * Tile::kPitch + Values::columnOf(run)) = Values::runOf(rows.sums, run, r);
    if (lane % 4 == 0)
      *reinterpret_cast<Pack<float, 2> *>(marks + row * 2) = {{rows.largest[r], rows.total[r]}};
  }
  syncBlock();
  constexpr int kRuns = Tile::kWidth / Values::kRun;
  bool isFinite = true;
  SINTER_DEVICE_LOOP
  for (int i = threadIndex(); i < Tile::kQueries * kRuns; i += Tile::kThreads) {
    const int row = i / kRuns, column = i % kRuns * Values::kRun;
    float most = -infinity(), total = 0.0f;
    Run merged{};
    SINTER_DEVICE_UNROLL
    for (int w = 0; w < Tile::kKeyWarps; ++w)
      most = greater(most, marks[(w * Tile::kQueries + row) * 2]);
    const float shift = most == -infinity() ? 0.0f : most;
    SINTER_DEVICE_UNROLL
    for (int w = 0; w < Tile::kKeyWarps; ++w) {
      const int at = w * Tile::kQueries + row;
      const float factor = exp2((marks[at * 2] - shift) * kLog2E);
      total = fma(marks[at * 2 + 1], factor, total);
      const Run own = *reinterpret_cast<const Run *>(sums + at * Tile::kPitch + column);
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < Values::kRun; ++e)
        merged.at[e] = fma(own.at[e], factor, merged.at[e]);
    }
    isFinite &= areFinite(total, merged);
    out.template store<kAligned>(firstQuery + row, column, merged, out.factorOf(total));
  }
  return isFinite;
}

/// Of units that take elements as they are.
struct NoPlainRow {
  SINTER_DEVICE void operator()(int) const {}
};

/// The block's queries begin at `firstQuery`. `mask(query, key)` is added to scaled scores. kAligned: rows of all
/// operands begin at multiples of 16 bytes; else elements are taken one by one. plainRow(query): a warp computes and
/// stores the row of a query without the unit. Where a unit splits operands, those of a block whose sums are not all
/// finite come from there: products of parts do not tell what is infinite.
template <class Tile, bool kAligned, class T, class Mask, class PlainRow = NoPlainRow>
SINTER_DEVICE void attention(const HeadRows<T> &q, const HeadRows<T> &k, const HeadRows<T> &v,
                             const HeadResults<T> &out, int firstQuery, float scale, Mask mask,
                             [[maybe_unused]] PlainRow plainRow = {}) {
  using Values = ValueProduct<T>;
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
        for (int d = 0; d < Tile::kSteps; ++d)
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
  bool isFinite = true;
  if constexpr (Tile::kKeyWarps > 1) {
    isFinite = mergeWarps<Tile, kAligned>(rows, out, firstQuery);
  } else {
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const float factor = out.factorOf(rows.total[r]);
      SINTER_DEVICE_UNROLL
      for (int run = 0; run < AttentionRows<Tile>::kRuns; ++run) {
        const auto sums = Values::runOf(rows.sums, run, r);
        isFinite &= areFinite(rows.total[r], sums);
        out.template store<kAligned>(query + r * 8, Values::columnOf(run), sums, factor);
      }
    }
  }
  if constexpr (MatrixUnit<T>::kProducts > 1) {
    if (syncBlockAny(!isFinite)) {
      SINTER_DEVICE_LOOP
      for (int row = firstQuery + warpIndex(); row < least(firstQuery + Tile::kQueries, q.rows);
           row += Tile::kThreads / kWarp)
        plainRow(row);
    }
  }
}

} // namespace
} // namespace sinter::cuda
