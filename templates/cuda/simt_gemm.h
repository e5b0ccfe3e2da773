// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B) in float without the matrix unit: for GPUs that have none, right-hand sides
// along n, and where it is faster. Each sum is one chain of fused multiply-adds over k. A block has a tile of sums, a
// thread kPerM x kPerN of them in registers. Steps of k lie in shared memory k by k, twice: while one is used, the next
// is fetched into registers. Grid: ceil(m / kM) x ceil(n / kN); block: kThreads.
//
//   tile (kM x kN, steps of kK; a thread's)    threads   for
//   128 x 128, 16; 8 x 8                       256       most
//   64 x 64, 16; 4 x 4                         256       few tiles
//   32 x 32, 16; 4 x 2                         128       small products
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/device_numbers.h"

namespace sinter::cuda {
namespace {

template <int kRows, int kColumns, int kDepth, int kThreadRows, int kThreadColumns>
struct SimtTile {
  static constexpr int kM = kRows, kN = kColumns, kK = kDepth, kPerM = kThreadRows, kPerN = kThreadColumns;
  static constexpr int kAcross = kN / kPerN, kThreads = kAcross * (kM / kPerM);
  /// Rows of kM (or kN) sums' operands, k by k; padded by a chunk so that a transposing store does not meet in a bank.
  static constexpr int kPitchA = kM + 4, kPitchB = kN + 4, kStage = kK * (kPitchA + kPitchB);
  static constexpr int kSharedBytes = 2 * kStage * 4;
  static_assert(kM * kK % kThreads == 0 && kN * kK % kThreads == 0, "each thread fetches equally many elements");
  static_assert(kPerM % 2 == 0 && kPerN % 2 == 0);
};

/// A step's elements on their way from memory, of kLines lines (A's rows, B's columns) by kK. Element (line, k) lies
/// at line * stride + k (kAlongK), or at line + k * stride. A thread's elements lie in one column or line of those.
template <int kLines, int kK, int kThreads, bool kAlongK>
class SimtFetch {
public:
  SINTER_DEVICE SimtFetch(const float *data, int stride, int firstLine, int lines, int depth)
      : stride(stride), linesLeft(lines - firstLine - line()), depthLeft(depth - k()),
        from(data +
             (kAlongK ? int64_t(firstLine + line()) * stride + k() : int64_t(k()) * stride + firstLine + line())) {}
  /// The next step; zeros outside.
  SINTER_DEVICE void load() {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i) {
      const bool isThere = (kAlongK ? 0 : i * kApart) < depthLeft && (kAlongK ? i * kApart : 0) < linesLeft;
      at[i] = isThere ? from[i * kApart * stride] : 0.0f;
    }
    from += kAlongK ? kK : kK * stride;
    depthLeft -= kK;
  }
  SINTER_DEVICE void store(float *to, int pitch) const {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i)
      to[(k() + (kAlongK ? 0 : i * kApart)) * pitch + line() + (kAlongK ? i * kApart : 0)] = at[i];
  }

private:
  static constexpr int kCount = kLines * kK / kThreads, kApart = kThreads / (kAlongK ? kK : kLines);
  static_assert(kThreads % kK == 0 && kThreads % kLines == 0);
  static SINTER_DEVICE int line() { return kAlongK ? threadIndex() / kK : threadIndex() % kLines; }
  static SINTER_DEVICE int k() { return kAlongK ? threadIndex() % kK : threadIndex() / kLines; }

  int stride, linesLeft, depthLeft;
  const float *from;
  float at[kCount];
};

/// A thread's operands of one k, two by two: pairs of a thread lie kStride apart, so that a warp reads whole lines.
template <int kCount, int kStride>
SINTER_DEVICE void loadPairs(float (&to)[kCount], const float *from) {
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < kCount / 2; ++i) {
    const Pack<float, 2> pair = *reinterpret_cast<const Pack<float, 2> *>(from + i * kStride);
    to[2 * i] = pair.at[0], to[2 * i + 1] = pair.at[1];
  }
}

/// c[i, j] = epilogue(sum, i, j) for the block's tile of m x n; the cursors give steps of A's rows and B's columns.
template <class Tile, class CursorA, class CursorB, class TC, class Epilogue>
SINTER_DEVICE void simtProduct(CursorA &nextA, CursorB &nextB, TC *c, int ldc, int m, int n, int k,
                               Epilogue &epilogue) {
  constexpr int kDown = Tile::kM / Tile::kPerM, kAcross = Tile::kAcross;
  const int row = blockX() * Tile::kM, column = blockY() * Tile::kN;
  const int down = threadIndex() / kAcross, across = threadIndex() % kAcross;
  float *const shared = sharedMemoryAs<float>();
  const auto fetch = [&] {
    nextA.load();
    nextB.load();
  };
  const auto keep = [&](float *stage) {
    nextA.store(stage, Tile::kPitchA);
    nextB.store(stage + Tile::kK * Tile::kPitchA, Tile::kPitchB);
  };
  float sums[Tile::kPerM][Tile::kPerN] = {};
  fetch();
  keep(shared);
  syncBlock();
  int stage = 0;
  SINTER_DEVICE_LOOP
  for (int first = 0; first < k; first += Tile::kK) {
    const bool isLast = first + Tile::kK >= k;
    if (!isLast)
      fetch();
    const float *const rowsA = shared + stage * Tile::kStage + 2 * down;
    const float *const rowsB = shared + stage * Tile::kStage + Tile::kK * Tile::kPitchA + 2 * across;
    SINTER_DEVICE_UNROLL_BY(4)
    for (int p = 0; p < Tile::kK; ++p) {
      float x[Tile::kPerM], y[Tile::kPerN];
      loadPairs<Tile::kPerM, 2 * kDown>(x, rowsA + p * Tile::kPitchA);
      loadPairs<Tile::kPerN, 2 * kAcross>(y, rowsB + p * Tile::kPitchB);
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < Tile::kPerM; ++i) {
        SINTER_DEVICE_UNROLL
        for (int j = 0; j < Tile::kPerN; ++j)
          sums[i][j] = fma(x[i], y[j], sums[i][j]);
      }
    }
    stage ^= 1;
    if (!isLast)
      keep(shared + stage * Tile::kStage); // all have left it: the barrier of the step before
    syncBlock();
  }
  // All that epilogues read before the first store: block_tile.h.
  const auto rowOf = [&](int i) { return row + i / 2 * 2 * kDown + 2 * down + i % 2; };
  const auto columnOf = [&](int j) { return column + j / 2 * 2 * kAcross + 2 * across + j % 2; };
  if (rowOf(0) >= m || columnOf(0) >= n)
    return;
  TC results[Tile::kPerM][Tile::kPerN];
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < Tile::kPerM; ++i) {
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kPerN; ++j)
      results[i][j] = stored<TC>(
          epilogue(sums[i][j], rowOf(i) < m ? rowOf(i) : rowOf(0), columnOf(j) < n ? columnOf(j) : columnOf(0)));
  }
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < Tile::kPerM; ++i) {
    SINTER_DEVICE_UNROLL
    for (int j = 0; j < Tile::kPerN; ++j)
      if (rowOf(i) < m && columnOf(j) < n)
        c[int64_t(rowOf(i)) * ldc + columnOf(j)] = results[i][j];
  }
}

/// A: m rows, lda apart. B: n rows of k, ldb apart (kByColumns), or k rows of n. C: ldc apart. `epilogue(sum, i, j)`.
template <class Tile, bool kByColumns, class TC, class Epilogue>
SINTER_DEVICE void simtGemm(const float *a, int lda, const float *b, int ldb, TC *c, int ldc, int m, int n, int k,
                            Epilogue epilogue) {
  SimtFetch<Tile::kM, Tile::kK, Tile::kThreads, true> nextA(a, lda, blockX() * Tile::kM, m, k);
  SimtFetch<Tile::kN, Tile::kK, Tile::kThreads, kByColumns> nextB(b, ldb, blockY() * Tile::kN, n, k);
  simtProduct<Tile>(nextA, nextB, c, ldc, m, n, k, epilogue);
}

} // namespace
} // namespace sinter::cuda
