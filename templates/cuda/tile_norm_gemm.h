// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile_gemm.h's product of rows in halves that are normalised on their way: LayerNormalization or RMSNormalization,
// then C[m, n] = epilogue(norm(X)[m, k] B[n, k]^T), in one launch. A block normalises its own rows first, a warp up to
// four of them at a time, into shared memory, where all of k stays; steps of k bring B only, the first of them
// meanwhile. Rows are added up and rounded as row_of_warp.h does: bits are those of the two kernels one after the
// other. Grid, block: tile_gemm.h.
#pragma once

#include "templates/cuda/normed_rows.h"
#include "templates/cuda/tile_gemm.h"

namespace sinter::cuda {
namespace {

/// All of k of the block's rows, step by step, then the stages of B.
template <class Tile>
SINTER_DEVICE constexpr int normedPanelBytes(int k) {
  return ceilDiv(k, Tile::kStep) * Tile::kM * Tile::kRowBytes;
}
template <class Tile>
SINTER_DEVICE constexpr int normedTileBytes(int k) {
  return normedPanelBytes<Tile>(k) + Tile::kStages * Tile::kN * Tile::kRowBytes;
}

/// The block's rows to `panel`, zeros behind their ends. kHeld: runs of a row that a lane has, in registers:
/// k <= kHeld * 256. Rows that are not there are copies of the last one: their products are dropped.
template <class Tile, int kHeld, class T, class Finish>
SINTER_DEVICE void normalisePanel(const NormedRows<T, Finish> &rows, SharedPlace panel, int m, int k) {
  constexpr int kRun = kLaneRun<T>, kStepRow = kWarp * kRun, kWarps = Tile::kThreads / kWarp,
                kLines = Tile::kM / kWarps;
  // As many as registers hold, of a lane beside so many others.
  constexpr int kLane = kHeld * kRun, kFit = kLane <= 24 && Tile::kThreads * kLane <= 256 * 16 ? 4 : 2;
  constexpr int kAtOnce = kLines % kFit == 0 ? kFit : kLines % 2 == 0 ? 2 : 1;
  static_assert(sizeof(T) == 2 && Tile::kM % kWarps == 0);
  const int last = ceilDiv(k, Tile::kStep) * Tile::kStep, own = laneIndex() * kRun;
  const bool isWhole = hasWholeRuns<T>(reinterpret_cast<uintptr_t>(rows.x) | uint32_t(rows.ldx) * sizeof(T), 1, k);
  const bool keepsWhole =
      hasWholeRuns<T>(reinterpret_cast<uintptr_t>(rows.normed) | uint32_t(rows.ldNormed) * sizeof(T), 1, k);
  const auto factors = rows.finish.template held<T, kHeld>(k);
  SINTER_DEVICE_LOOP
  for (int pass = 0; pass < kLines / kAtOnce; ++pass) {
    const int line = (warpIndex() + pass * kWarps) * kAtOnce, firstRow = blockX() * Tile::kM + line;
    const T *from[kAtOnce];
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kAtOnce; ++r)
      from[r] = rows.x + int64_t(least(firstRow + r, m - 1)) * rows.ldx;
    LaneRuns<T, kAtOnce, kHeld> held;
    held.load(from, 1, k, isWhole);
    held.normalise(k, rows.isCentered, rows.epsilon);
    held.finish(factors);
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kHeld; ++i) {
      const int first = own + i * kStepRow;
      if ((i + 1) * kStepRow > last && first >= last)
        continue;
      SINTER_DEVICE_UNROLL
      for (int r = 0; r < kAtOnce; ++r) {
        Pack<T, kRun> run = held.run(i, r);
        SINTER_DEVICE_UNROLL
        for (int u = 0; u < kRun; ++u)
          run.at[u] = isInRow<T>(k, i, u) ? run.at[u] : T{};
        storeShared(panel + first / Tile::kStep * Tile::kM * Tile::kRowBytes +
                        Tile::placeOf(line + r, first % Tile::kStep / kRun),
                    chunkOf(run));
      }
    }
    if (!rows.keeps || blockY() != 0)
      continue;
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kAtOnce; ++r) {
      if (firstRow + r >= m)
        continue;
      T *const to = rows.normed + int64_t(firstRow + r) * rows.ldNormed;
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < kHeld; ++i)
        if (isInRow<T>(k, i, 0))
          storeRun(held.run(i, r), to, 1, k, own + i * kStepRow, keepsWhole);
    }
  }
}

/// As gemm, with `rows` for A. Shared memory: normedTileBytes<Tile>(k). kAligned is B's.
template <class Tile, bool kAligned, int kHeld, class T, class Finish, class TC, class Epilogue>
SINTER_DEVICE void tileNormGemm(const NormedRows<T, Finish> &rows, const T *b, int ldb, TC *c, int ldc, int m, int n,
                                int k, Epilogue epilogue) {
  const SharedPlace panel = sharedStart(), stages = panel + normedPanelBytes<Tile>(k);
  const SharedPlace own = stages + Tile::placeOf(Tile::ownRow(), Tile::ownChunk());
  const int steps = ceilDiv(k, Tile::kStep), row = blockX() * Tile::kM, column = blockY() * Tile::kN;
  typename MatrixRows<T, kAligned>::template Cursor<Tile, Tile::kN / Tile::kPass> cursor({b, ldb, n, k}, column, 0);
  const auto fetch = [&](int stage, bool isThere) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kN / Tile::kPass; ++i)
      cursor.copy(i, own + (stage * Tile::kN + i * Tile::kPass) * Tile::kRowBytes, isThere);
    cursor.advance();
  };
  fetchFirstSteps<Tile>(steps, fetch);
  normalisePanel<Tile, kHeld>(rows, panel, m, k);
  TileSums<Tile> sums;
  const auto rowsA = [=](int step, int) { return panel + step * Tile::kM * Tile::kRowBytes; };
  const auto rowsB = [=](int, int stage) { return stages + stage * Tile::kN * Tile::kRowBytes; };
  multiplySteps<Tile>(sums, steps, fetch, rowsA, rowsB);
  storeTile<Tile>(sums, row, column, c, ldc, m, n, epilogue);
}

} // namespace
} // namespace sinter::cuda
