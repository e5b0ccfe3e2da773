// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B[k, n]) with B, a constant, packed by the compiler: [ceil(n / NR)][k][NR], zeros behind
// n. B that is made at run time: gemm_unpacked.h.
//
// The tile of R rows by NR columns stays in registers over all of k. Good tiles: 14 x 32 on AVX-512, 6 x 16 on AVX2,
// 9 x 8 on NEON, 6 x 8 on SSE, 4 x 4 without vectors; NR is a multiple of the target's lanes, and B's layout depends
// on it.
#pragma once

#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// The vectors that a panel of NR columns is read in.
template <class TA, int NR>
using PanelVector = Vec<AccumulatorOf<TA>, (kLanes<AccumulatorOf<TA>> <= NR ? kLanes<AccumulatorOf<TA>> : NR)>;

/// One to four rows: bound by reading B, so several panels at a time, each a stream, to have loads and sums in flight.
template <int R, int NR, int kStreams, class V, class TA, class Step, class TB>
void gemvPanels(const TA *a, int64_t lda, Step step, const TB *b, int64_t k, V *out) {
  constexpr int lanes = kLanesOf<V>;
  constexpr int vectors = NR / lanes;
  V acc[R][kStreams * vectors] = {};
  for (int64_t p = 0; p < k; ++p) {
    SINTER_UNROLL
    for (int q = 0; q < kStreams; ++q) {
      SINTER_UNROLL
      for (int j = 0; j < vectors; ++j) {
        const V w = load<V>(b + (q * k + p) * NR + j * lanes);
        SINTER_UNROLL
        for (int i = 0; i < R; ++i)
          acc[i][q * vectors + j] =
              multiplyAdd(splat<V>(convert<ElementOf<V>>(a[i * lda + p * step])), w, acc[i][q * vectors + j]);
      }
    }
  }
  SINTER_UNROLL
  for (int i = 0; i < R; ++i) {
    SINTER_UNROLL
    for (int j = 0; j < kStreams * vectors; ++j)
      out[i * kStreams * vectors + j] = acc[i][j];
  }
}
template <TileSizes kSizes, int NR, class TA, class Step, class TB, class TC, class LdC, class N, class Epilogue>
SINTER_INLINE void gemv(const TA *a, int64_t lda, Step step, const TB *b, TC *c, LdC ldc, int64_t m, N n, int64_t k,
                        Epilogue &epilogue) {
  using V = PanelVector<TA, NR>;
  constexpr int vectors = NR / kLanesOf<V>, most = vectors > 4 ? 4 * vectors : 16;
  const int64_t panels = (n + NR - 1) / NR;
  for (int64_t panel = 0, streams; panel < panels; panel += streams) {
    V sums[most];
    withRows<kSizes>(m, [&](auto rows) {
      constexpr int r = int(decltype(rows)::value);
      constexpr int many = r * vectors >= 8 ? 1 : r * vectors >= 4 ? 2 : 4;
      streams = panel + many <= panels ? many : 1;
      if (streams == many)
        gemvPanels<r, NR, many>(a, lda, step, b + panel * k * NR, k, &sums[0]);
      else
        gemvPanels<r, NR, 1>(a, lda, step, b + panel * k * NR, k, &sums[0]);
    });
    storeTile<kRestOf<V, N>>(&sums[0], m, streams * vectors, c, ldc, 0, panel * NR, n, epilogue);
  }
}

/// A: m rows, lda elements apart, k elements each, `step` apart (1, or lda's role in a transposed A). C: m rows, ldc
/// apart. m, n, k, lda, step, ldc: Fixed or int64_t, 0 allowed. `epilogue(v, i, j)`: row i, columns j and on. `next`:
/// what runs after this reads it first (its first panel), or null. No scratch; no alignment beyond the elements'. lda
/// in bytes should not be a multiple of 4096: the pass space-rows sees to it.
template <int R, int NR, class TA, class TB, class TC, class LdA, class Step, class LdC, class M, class N, class K,
          class Epilogue>
void gemm(const TA *a, LdA lda, Step step, const TB *b, TC *c, LdC ldc, M m, N n, K k, Epilogue epilogue,
          const void *next = nullptr) {
  constexpr int few = 4;
  if constexpr (kFixed<M> < 0 || kFixed<M> <= few) {
    if (m <= few) {
      if (m > 0)
        gemv<kTileSizes<few, M>, NR>(a, lda, step, b, c, ldc, m, n, k, epilogue);
      return;
    }
  }
  if constexpr (kFixed<M> < 0 || kFixed<M> > few) {
    using V = PanelVector<TA, NR>;
    constexpr int vectors = NR / kLanesOf<V>;
    static_assert(NR % kLanesOf<V> == 0, "a panel is whole vectors");
    for (int64_t column = 0; column < n; column += NR) {
      const TB *panel = b + column * k;
      const void *after = column + NR < n ? static_cast<const void *>(panel + k * NR) : next ? next : b;
      NextPanel ahead(after, NR * sizeof(TB), k, (m + R - 1) / R);
      rowTiles<R>(m, [&](int64_t rows, int64_t row) {
        V sums[R * vectors];
        withRows<kTileSizes<R, M>>(rows, [&](auto fixed) {
          rankUpdates<int(decltype(fixed)::value), vectors>(a + row * lda, lda, step, panel, Fixed<NR>{}, k,
                                                            ahead.share(), &sums[0]);
        });
        storeTile<kRestOf<V, N>>(&sums[0], rows, vectors, c, ldc, row, column, n, epilogue);
        ahead.endTile();
      });
    }
  }
}

} // namespace
} // namespace sinter
