// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block's tile of sums = rows of A times rows of B, on the matrix unit. Shared memory holds kStages steps of k: while
// one is multiplied, the next ones are copied. A step's rows are kRowBytes long, in chunks of 16 bytes; chunk c of row
// r lies at c ^ (a few bits of r), so that neither copies nor loads of matrices meet in a bank.
//
//   tile (kM x kN, kRowBytes; a warp's)   threads   for
//   32 x 32, 128; 16 x 16                 128       few rows and columns
//   32 x 64, 128; 16 x 32                 128       few rows
//   64 x 64, 128; 32 x 32                 128       most
//   128 x 64, 64; 64 x 32                 128       many rows
//   128 x 128, 64; 64 x 32                256       many of both
//   128 x 128, 64; 64 x 64                128       the unit's peak
//
// Where rows come from is the operand's: tile_gemm.h (a matrix), tile_conv.h (windows of a picture). Its cursor has
// copy(i, to), the i-th chunk of this thread in the step at hand, once a step, and advance(), to the next step. The
// design and its numbers: docs/design/cuda.md.
#pragma once

#include "templates/cuda/matrix_unit.h"

namespace sinter::cuda {
namespace {

template <class T, int kRows, int kColumns, int kBytes, int kWarpRows, int kWarpColumns, int kDepth>
struct BlockTile {
  using Element = T;
  using Unit = MatrixUnit<T>;
  using Sum = typename Unit::Sum;
  static constexpr int kM = kRows, kN = kColumns, kRowBytes = kBytes, kStages = kDepth;
  static constexpr int kWarpM = kWarpRows, kWarpN = kWarpColumns;
  static constexpr int kWarpsM = kM / kWarpM, kThreads = kWarp * kWarpsM * (kN / kWarpN);
  static constexpr int kStep = int(kRowBytes / sizeof(T)), kChunks = kRowBytes / 16;
  /// Rows that all threads copy at once, a chunk each.
  static constexpr int kPass = kThreads / kChunks;
  static constexpr int kStageBytes = (kM + kN) * kRowBytes, kSharedBytes = kStages * kStageBytes;
  static_assert(kRowBytes == 64 || kRowBytes == 128, "what the swizzle is for");
  static_assert(kM % kPass == 0 && kN % kPass == 0 && kPass % 8 == 0, "each thread copies equally many chunks");
  static_assert(kM % kWarpM == 0 && kN % kWarpN == 0 && kWarpM % 16 == 0 && kWarpN % 16 == 0);
  static_assert(kStages >= 2);

  /// The row and the chunk that this thread copies in the first pass.
  static SINTER_DEVICE int ownRow() { return threadIndex() / kChunks; }
  static SINTER_DEVICE int ownChunk() { return threadIndex() % kChunks; }
  /// Where a chunk of a row lies, in bytes. Rows 8 apart are swizzled alike.
  static SINTER_DEVICE int placeOf(int row, int chunk) {
    return row * kRowBytes + (kChunks == 8 ? chunk ^ (row & 7) : chunk ^ (row >> 1 & 3)) * 16;
  }
};

/// A thread's part of the tile: [row of 16][column of 8][c of matrix_unit.h].
template <class Tile>
using TileSums = typename Tile::Sum[Tile::kWarpM / 16][Tile::kWarpN / 8][4];

/// One step: sums += A's rows times B's, both in shared memory.
template <class Tile>
SINTER_DEVICE void multiplyStep(TileSums<Tile> &sums, SharedPlace rowsA, SharedPlace rowsB) {
  const int lane = laneIndex(), warp = warpIndex();
  const int rowA = warp % Tile::kWarpsM * Tile::kWarpM + lane % 16, chunkA = lane / 16;
  const int rowB = warp / Tile::kWarpsM * Tile::kWarpN + lane % 8 + lane / 16 * 8, chunkB = lane / 8 % 2;
  // Operands that are split take registers: then one at a time.
  [[maybe_unused]] constexpr int kAtOnce = Tile::Unit::kPromote ? 1 : Tile::kChunks / 2;
  SINTER_DEVICE_UNROLL_BY(kAtOnce)
  for (int k = 0; k < Tile::kChunks; k += 2) {
    typename Tile::Unit::template Operand<4> a[Tile::kWarpM / 16];
    typename Tile::Unit::template Operand<2> b[Tile::kWarpN / 8];
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kWarpM / 16; ++i) {
      uint32_t words[4];
      loadMatrices(words, rowsA + Tile::placeOf(rowA, k + chunkA) + i * 16 * Tile::kRowBytes);
      a[i] = Tile::Unit::operand(words);
    }
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kWarpN / 16; ++j) {
      uint32_t words[4];
      loadMatrices(words, rowsB + Tile::placeOf(rowB, k + chunkB) + j * 16 * Tile::kRowBytes);
      b[2 * j] = Tile::Unit::operand({words[0], words[1]});
      b[2 * j + 1] = Tile::Unit::operand({words[2], words[3]});
    }
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kWarpM / 16; ++i) {
      SINTER_DEVICE_UNROLL
      for (int j = 0; j < Tile::kWarpN / 8; ++j)
        Tile::Unit::multiply(sums[i][j], a[i], b[j]);
    }
  }
}

template <class Tile>
SINTER_DEVICE void clear(TileSums<Tile> &sums) {
  SINTER_DEVICE_UNROLL
  for (auto &row : sums)
    for (auto &c : row)
      for (auto &sum : c)
        sum = 0;
}
/// sums += more.
template <class Tile>
SINTER_DEVICE void add(TileSums<Tile> &sums, const TileSums<Tile> &more) {
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < Tile::kWarpM / 16; ++i) {
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kWarpN / 8; ++j) {
      SINTER_DEVICE_UNROLL
      for (int e = 0; e < 4; ++e)
        sums[i][j][e] += more[i][j][e];
    }
  }
}

/// sums = the products of `steps` steps of k, from where the cursors are.
template <class Tile, class CursorA, class CursorB>
SINTER_DEVICE void multiplyTile(TileSums<Tile> &sums, CursorA &a, CursorB &b, int steps) {
  const SharedPlace shared = sharedStart();
  const SharedPlace own = shared + Tile::placeOf(Tile::ownRow(), Tile::ownChunk());
  const auto fetch = [&](int stage) {
    SharedPlace to = own + stage * Tile::kStageBytes;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kM / Tile::kPass; ++i)
      a.copy(i, to + i * Tile::kPass * Tile::kRowBytes);
    a.advance();
    to += Tile::kM * Tile::kRowBytes;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kN / Tile::kPass; ++i)
      b.copy(i, to + i * Tile::kPass * Tile::kRowBytes);
    b.advance();
  };
  clear<Tile>(sums);
  SINTER_DEVICE_UNROLL
  for (int stage = 0; stage < Tile::kStages - 1; ++stage) {
    if (stage < steps)
      fetch(stage);
    commitCopies(); // also of nothing: waits count groups
  }
  int reads = 0, writes = Tile::kStages - 1;
  SINTER_DEVICE_LOOP
  for (int step = 0; step < steps; ++step) {
    waitCopies<Tile::kStages - 2>();
    syncBlock(); // the copies are everyone's, and all have left the stage that is now written
    if (step + Tile::kStages - 1 < steps)
      fetch(writes);
    commitCopies();
    const SharedPlace rows = shared + reads * Tile::kStageBytes;
    if constexpr (Tile::Unit::kPromote) {
      TileSums<Tile> part;
      clear<Tile>(part);
      multiplyStep<Tile>(part, rows, rows + Tile::kM * Tile::kRowBytes);
      add<Tile>(sums, part);
    } else {
      multiplyStep<Tile>(sums, rows, rows + Tile::kM * Tile::kRowBytes);
    }
    writes = writes + 1 == Tile::kStages ? 0 : writes + 1;
    reads = reads + 1 == Tile::kStages ? 0 : reads + 1;
  }
}

/// c[i, j] = epilogue(sum, i, j) for the tile at (firstRow, firstColumn), inside of m x n. Rows of c: ldc apart.
template <class Tile, class TC, class Epilogue>
SINTER_DEVICE void storeTile(const TileSums<Tile> &sums, int firstRow, int firstColumn, TC *c, int ldc, int m, int n,
                             Epilogue &epilogue) {
  const int lane = laneIndex(), warp = warpIndex();
  const int row = firstRow + warp % Tile::kWarpsM * Tile::kWarpM + lane / 4;
  const int column = firstColumn + warp / Tile::kWarpsM * Tile::kWarpN + lane % 4 * 2;
  const bool inPairs = n % 2 == 0 && ldc % 2 == 0; // known when compiled, where sizes are
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < Tile::kWarpM / 8; ++i) {
    const int r = row + i * 8;
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kWarpN / 8; ++j) {
      const int col = column + j * 8;
      if (r >= m || col >= n)
        continue;
      TC *const to = c + int64_t(r) * ldc + col;
      const auto *const pair = &sums[i / 2][j][i % 2 * 2];
      if (inPairs) {
        *reinterpret_cast<Pack<TC, 2> *>(to) = {
            {stored<TC>(epilogue(pair[0], r, col)), stored<TC>(epilogue(pair[1], r, col + 1))}};
      } else {
        to[0] = stored<TC>(epilogue(pair[0], r, col));
        if (col + 1 < n)
          to[1] = stored<TC>(epilogue(pair[1], r, col + 1));
      }
    }
  }
}

} // namespace
} // namespace sinter::cuda
