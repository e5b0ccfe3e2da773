// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// simt_gemm.h's product of rows that are normalised on their way: LayerNormalization or RMSNormalization, then
// C[m, n] = epilogue(norm(X)[m, k] B), in one launch. Each block finds the mean and the scale of its own rows, a warp
// four at a time, as row_of_warp.h does; the rows' elements are normalised when a step of k is fetched. Bits are those
// of the two kernels one after the other. Grid, block: simt_gemm.h.
#pragma once

#include "templates/cuda/normed_rows.h"
#include "templates/cuda/simt_gemm.h"

namespace sinter::cuda {
namespace {

/// Of the block's rows the mean and what differences from it are multiplied by, behind the tile's steps in shared
/// memory.
template <class Tile>
SINTER_DEVICE constexpr int normedSharedBytes() {
  return Tile::kSharedBytes + 2 * Tile::kM * 4;
}

/// All threads of the block come here.
template <class Tile, class Finish>
SINTER_DEVICE void findMoments(const NormedRows<float, Finish> &rows, float *moments, int m, int k) {
  constexpr int kAtOnce = 4, kWarps = Tile::kThreads / kWarp;
  static_assert(Tile::kM % kAtOnce == 0);
  const float share = 1.0f / float(k);
  SINTER_DEVICE_LOOP
  for (int line = warpIndex() * kAtOnce; line < Tile::kM; line += kWarps * kAtOnce) {
    const int firstRow = blockX() * Tile::kM + line;
    const float *x[kAtOnce]; // of rows that are not there, the last one's
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kAtOnce; ++r)
      x[r] = rows.x + int64_t(least(firstRow + r, m - 1)) * rows.ldx;
    float mean[kAtOnce] = {}, scale[kAtOnce] = {};
    const auto addUp = [&](float(&sums)[kAtOnce], auto add) {
      SINTER_DEVICE_UNROLL_BY(4)
      for (int j = laneIndex(); j < k; j += kWarp) {
        SINTER_DEVICE_UNROLL
        for (int r = 0; r < kAtOnce; ++r)
          sums[r] = add(sums[r], x[r][j] - mean[r]);
      }
      SINTER_DEVICE_UNROLL
      for (int r = 0; r < kAtOnce; ++r)
        sums[r] = combineWarp(sums[r], Sum{}) * share;
    };
    if (rows.isCentered) {
      float sums[kAtOnce] = {};
      addUp(sums, [](float sum, float v) { return sum + v; });
      SINTER_DEVICE_UNROLL
      for (int r = 0; r < kAtOnce; ++r)
        mean[r] = sums[r];
    }
    addUp(scale, [](float sum, float v) { return sinter::fma(v, v, sum); });
    SINTER_DEVICE_UNROLL
    for (int r = 0; r < kAtOnce; ++r) {
      scale[r] = normScale(scale[r] + rows.epsilon);
      if (laneIndex() == 0) {
        moments[line + r] = mean[r];
        moments[Tile::kM + line + r] = scale[r];
      }
    }
    if (!rows.keeps || blockY() != 0)
      continue;
    SINTER_DEVICE_LOOP
    for (int j = laneIndex(); j < k; j += kWarp) {
      SINTER_DEVICE_UNROLL
      for (int r = 0; r < kAtOnce; ++r)
        if (firstRow + r < m)
          rows.normed[int64_t(firstRow + r) * rows.ldNormed + j] = rows.finish((x[r][j] - mean[r]) * scale[r], j);
    }
  }
  syncBlock();
}

/// As SimtFetch along k.
template <int kLines, int kK, int kThreads, class Finish>
class NormedFetch {
public:
  SINTER_DEVICE NormedFetch(const NormedRows<float, Finish> &rows, const float *moments, int firstLine, int lines,
                            int depth)
      : finish(rows.finish), stride(rows.ldx), linesLeft(lines - firstLine - line()), k(threadIndex() % kK),
        depth(depth), from(rows.x + int64_t(firstLine + line()) * rows.ldx) {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i) {
      mean[i] = i * kApart < linesLeft ? moments[line() + i * kApart] : 0.0f;
      scale[i] = i * kApart < linesLeft ? moments[kLines + line() + i * kApart] : 0.0f;
    }
  }
  /// The next step; zeros outside.
  SINTER_DEVICE void load() {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i)
      at[i] =
          k < depth && i * kApart < linesLeft ? finish((from[i * kApart * stride + k] - mean[i]) * scale[i], k) : 0.0f;
    k += kK;
  }
  SINTER_DEVICE void store(float *to, int pitch) const {
    SINTER_DEVICE_UNROLL
    for (int i = 0; i < kCount; ++i)
      to[threadIndex() % kK * pitch + line() + i * kApart] = at[i];
  }

private:
  static constexpr int kCount = kLines * kK / kThreads, kApart = kThreads / kK;
  static_assert(kThreads % kK == 0 && kLines * kK % kThreads == 0);
  static SINTER_DEVICE int line() { return threadIndex() / kK; }

  Finish finish;
  int stride, linesLeft, k, depth;
  const float *from;
  float mean[kCount], scale[kCount], at[kCount];
};

/// As simtGemm, with `rows` for A. Shared memory: normedSharedBytes<Tile>().
template <class Tile, bool kByColumns, class Finish, class TC, class Epilogue>
SINTER_DEVICE void simtNormGemm(const NormedRows<float, Finish> &rows, const float *b, int ldb, TC *c, int ldc, int m,
                                int n, int k, Epilogue epilogue) {
  float *const moments = sharedMemoryAs<float>() + Tile::kSharedBytes / 4;
  findMoments<Tile>(rows, moments, m, k);
  NormedFetch<Tile::kM, Tile::kK, Tile::kThreads, Finish> nextA(rows, moments, blockX() * Tile::kM, m, k);
  SimtFetch<Tile::kN, Tile::kK, Tile::kThreads, kByColumns> nextB(b, ldb, blockY() * Tile::kN, n, k);
  simtProduct<Tile>(nextA, nextB, c, ldc, m, n, k, epilogue);
}

} // namespace
} // namespace sinter::cuda
