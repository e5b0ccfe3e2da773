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
// copy(i, to, isThere), the i-th chunk of this thread in the step at hand, once a step and if it is there, and
// advance(), to the next step. The design and its numbers: docs/design/cuda.md.
#pragma once

#include "templates/cuda/launch_order.h"
#include "templates/cuda/matrix_unit.h"

namespace sinter::cuda {
namespace {

template <class T, int kRows, int kColumns, int kBytes, int kWarpRows, int kWarpColumns, int kDepth,
          class U = MatrixUnit<T>>
struct BlockTile {
  using Element = T;
  using Unit = U;
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
  /// Of this thread's sums, the first's place in the tile.
  static SINTER_DEVICE int sumsRow() { return warpIndex() % kWarpsM * kWarpM + laneIndex() / 4; }
  static SINTER_DEVICE int sumsColumn() { return warpIndex() / kWarpsM * kWarpN + laneIndex() % 4 * 2; }
};

/// A thread's part of the tile: [row of 16][column of 8][c of matrix_unit.h].
template <class Tile>
using TileSums = typename Tile::Sum[Tile::kWarpM / 16][Tile::kWarpN / 8][4];

/// What a warp multiplies of 32 bytes of k: words of its rows of A and of B.
template <class Tile>
struct WarpOperands {
  uint32_t a[Tile::kWarpM / 16][4], b[Tile::kWarpN / 16][4];

  /// From chunks 2 part and 2 part + 1 of rows in shared memory.
  SINTER_DEVICE void load(SharedPlace rowsA, SharedPlace rowsB, int part) {
    const int lane = laneIndex(), warp = warpIndex();
    const int rowA = warp % Tile::kWarpsM * Tile::kWarpM + lane % 16, chunkA = 2 * part + lane / 16;
    const int rowB = warp / Tile::kWarpsM * Tile::kWarpN + lane % 8 + lane / 16 * 8, chunkB = 2 * part + lane / 8 % 2;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kWarpM / 16; ++i)
      loadMatrices(a[i], rowsA + Tile::placeOf(rowA, chunkA) + i * 16 * Tile::kRowBytes);
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kWarpN / 16; ++j)
      loadMatrices(b[j], rowsB + Tile::placeOf(rowB, chunkB) + j * 16 * Tile::kRowBytes);
  }

  /// sums += A's rows times B's.
  SINTER_DEVICE void multiply(TileSums<Tile> &sums) const {
    typename Tile::Unit::template Operand<4> rows[Tile::kWarpM / 16];
    typename Tile::Unit::template Operand<2> columns[Tile::kWarpN / 8];
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kWarpM / 16; ++i)
      rows[i] = Tile::Unit::operand(a[i]);
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kWarpN / 16; ++j) {
      columns[2 * j] = Tile::Unit::operand({b[j][0], b[j][1]});
      columns[2 * j + 1] = Tile::Unit::operand({b[j][2], b[j][3]});
    }
    // Products of the same sums wait for each other: all others come between them.
    SINTER_DEVICE_UNROLL
    for (int product = 0; product < Tile::Unit::kProducts; ++product) {
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < Tile::kWarpM / 16; ++i) {
        SINTER_DEVICE_UNROLL
        for (int j = 0; j < Tile::kWarpN / 8; ++j)
          Tile::Unit::multiply(sums[i][j], rows[i], columns[j], product);
      }
    }
  }
};

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

/// Sums that a step adds to, from its first part to its last: `sums`, or, where the unit rounds toward zero, sums of
/// the step's own. Of a few of these the products of one are done before the unit is free for its next one: parts take
/// turns with others.
template <class Tile>
class StepSums {
public:
  SINTER_DEVICE TileSums<Tile> &ofPart(TileSums<Tile> &sums, int part) {
    if constexpr (!Tile::Unit::kPromote)
      return sums;
    else
      return own[part % kTurns];
  }
  SINTER_DEVICE void begin() {
    if constexpr (Tile::Unit::kPromote) {
      SINTER_DEVICE_UNROLL
      for (auto &each : own)
        clear<Tile>(each);
    }
  }
  SINTER_DEVICE void end(TileSums<Tile> &sums) {
    if constexpr (Tile::Unit::kPromote) {
      if constexpr (kTurns == 2)
        add<Tile>(own[0], own[kTurns - 1]);
      add<Tile>(sums, own[0]);
    }
  }

private:
  static constexpr int kTurns = Tile::kWarpM / 16 * (Tile::kWarpN / 8) < 4 ? 2 : 1;
  TileSums<Tile> own[Tile::Unit::kPromote ? kTurns : 1];
};

/// sums = the products of `steps` steps, none if there are none. fetch(stage, isThere): begins to copy the next step to
/// a stage, if there is one. rowsA, rowsB(step, stage): where a step's rows lie in shared memory. What a warp
/// multiplies next it has already loaded, across steps too: neither the barrier nor a load is waited for while the unit
/// is idle.
template <class Tile, class Fetch, class RowsA, class RowsB>
SINTER_DEVICE void multiplySteps(TileSums<Tile> &sums, int steps, Fetch fetch, RowsA rowsA, RowsB rowsB) {
  constexpr int kParts = Tile::kChunks / 2;
  WarpOperands<Tile> operands[2];
  StepSums<Tile> stepSums;
  int reads = 0, writes = Tile::kStages - 1;
  clear<Tile>(sums);
  waitCopies<Tile::kStages - 2>();
  syncBlock(); // copies are everyone's
  operands[0].load(rowsA(0, 0), rowsB(0, 0), 0);
  SINTER_DEVICE_LOOP
  for (int step = 0; step < steps; ++step) {
    const SharedPlace a = rowsA(step, reads), b = rowsB(step, reads);
    stepSums.begin();
    SINTER_DEVICE_UNROLL
    for (int part = 0; part < kParts; ++part) {
      WarpOperands<Tile> &next = operands[(part + 1) % 2];
      if (part + 1 < kParts) {
        next.load(a, b, part + 1);
      } else { // behind the last step that step again: nobody multiplies it
        waitCopies<Tile::kStages - 2>();
        syncBlock(); // and all have left this stage
        reads = reads + 1 == Tile::kStages ? 0 : reads + 1;
        const bool isLast = step + 1 == steps;
        next.load(isLast ? a : rowsA(step + 1, reads), isLast ? b : rowsB(step + 1, reads), 0);
      }
      if (part == 0) {
        fetch(writes, step + Tile::kStages - 1 < steps);
        commitCopies();
        writes = writes + 1 == Tile::kStages ? 0 : writes + 1;
      }
      operands[part % 2].multiply(stepSums.ofPart(sums, part));
    }
    stepSums.end(sums);
  }
}

/// The first steps, as many as stages hold but one: what multiplySteps finds on its way.
template <class Tile, class Fetch>
SINTER_DEVICE void fetchFirstSteps(int steps, Fetch fetch) {
  SINTER_DEVICE_UNROLL
  for (int stage = 0; stage < Tile::kStages - 1; ++stage) {
    fetch(stage, stage < steps);
    commitCopies(); // also of nothing: waits count groups
  }
}

/// sums = the products of `steps` steps of k, from where the cursors are.
template <class Tile, class CursorA, class CursorB>
SINTER_DEVICE void multiplyTile(TileSums<Tile> &sums, CursorA &a, CursorB &b, int steps) {
  const SharedPlace shared = sharedStart();
  const SharedPlace own = shared + Tile::placeOf(Tile::ownRow(), Tile::ownChunk());
  const auto fetch = [&](int stage, bool isThere) {
    SharedPlace to = own + stage * Tile::kStageBytes;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kM / Tile::kPass; ++i)
      a.copy(i, to + i * Tile::kPass * Tile::kRowBytes, isThere);
    a.advance();
    to += Tile::kM * Tile::kRowBytes;
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < Tile::kN / Tile::kPass; ++i)
      b.copy(i, to + i * Tile::kPass * Tile::kRowBytes, isThere);
    b.advance();
  };
  const auto rowsA = [=](int, int stage) { return shared + stage * Tile::kStageBytes; };
  const auto rowsB = [=](int, int stage) { return shared + stage * Tile::kStageBytes + Tile::kM * Tile::kRowBytes; };
  fetchFirstSteps<Tile>(steps, fetch);
  multiplySteps<Tile>(sums, steps, fetch, rowsA, rowsB);
}

/// The element (row, column) of a product of floats by itself, as one chain of fused multiply-adds: what it is where an
/// operand is infinite or the sum overflows, which products of parts of floats do not tell. `a`, `b`: at(row, k).
template <class A, class B>
struct PlainSum {
  A a;
  B b;
  int k;

  SINTER_DEVICE float operator()(int row, int column) const {
    float sum = 0;
    SINTER_DEVICE_LOOP
    for (int p = 0; p < k; ++p)
      sum = fma(a.at(row, p), b.at(column, p), sum);
    return sum;
  }
};

template <class Tile>
SINTER_DEVICE bool areFinite(const TileSums<Tile> &sums) {
  bool all = true;
  SINTER_DEVICE_UNROLL
  for (const auto &row : sums)
    for (const auto &c : row)
      for (const auto &sum : c)
        all &= sum - sum == 0;
  return all;
}

/// c[i, j] = epilogue(sum, i, j) for the tile at (firstRow, firstColumn), inside of m x n. Rows of c: ldc apart. What
/// epilogues read may be c, for all that a compiler knows: so all of them come before the first store, and for places
/// beyond m x n again that of the thread's first place, which is its own, that their loads are under way at once.
template <class Tile, class TC, class Epilogue>
SINTER_DEVICE void storeTile(const TileSums<Tile> &sums, int firstRow, int firstColumn, TC *c, int ldc, int m, int n,
                             Epilogue &epilogue) {
  constexpr int kRows = Tile::kWarpM / 8, kPairs = Tile::kWarpN / 8;
  const int row = firstRow + Tile::sumsRow(), column = firstColumn + Tile::sumsColumn();
  const bool inPairs = n % 2 == 0 && ldc % 2 == 0; // known when compiled, where sizes are
  if (row >= m || column >= n)
    return;
  Pack<TC, 2> results[kRows][kPairs];
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kRows; ++i) {
    const int r = row + i * 8 < m ? row + i * 8 : row;
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kPairs; ++j) {
      const auto *const pair = &sums[i / 2][j][i % 2 * 2];
      const int col = column + j * 8 < n ? column + j * 8 : column;
      const int next = inPairs || col + 1 < n ? col + 1 : col;
      results[i][j] = {{stored<TC>(epilogue(pair[0], r, col)), stored<TC>(epilogue(pair[1], r, next))}};
    }
  }
  letNextBegin();
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kRows; ++i) {
    const int r = row + i * 8;
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < kPairs; ++j) {
      const int col = column + j * 8;
      if (r >= m || col >= n)
        continue;
      TC *const to = c + int64_t(r) * ldc + col;
      if (inPairs) {
        *reinterpret_cast<Pack<TC, 2> *>(to) = results[i][j];
      } else {
        to[0] = results[i][j].at[0];
        if (col + 1 < n)
          to[1] = results[i][j].at[1];
      }
    }
  }
}

/// The same. plainSum(i, j): what a thread takes for all its sums where one of them is not finite, if the unit splits
/// operands.
template <class Tile, class TC, class Epilogue, class Plain>
SINTER_DEVICE void storeTile(const TileSums<Tile> &sums, int firstRow, int firstColumn, TC *c, int ldc, int m, int n,
                             Epilogue &epilogue, [[maybe_unused]] const Plain &plainSum) {
  if constexpr (Tile::Unit::kProducts > 1) {
    if (!areFinite<Tile>(sums)) {
      constexpr int kAcross = Tile::kWarpN / 4; // sums of a row
      SINTER_DEVICE_LOOP
      for (int i = 0; i < Tile::kWarpM / 8 * kAcross; ++i) {
        const int row = firstRow + Tile::sumsRow() + i / kAcross * 8;
        const int column = firstColumn + Tile::sumsColumn() + i % kAcross / 2 * 8 + i % 2;
        if (row < m && column < n)
          c[int64_t(row) * ldc + column] = stored<TC>(epilogue(plainSum(row, column), row, column));
      }
      return;
    }
  }
  storeTile<Tile>(sums, firstRow, firstColumn, c, ldc, m, n, epilogue);
}

} // namespace
} // namespace sinter::cuda
