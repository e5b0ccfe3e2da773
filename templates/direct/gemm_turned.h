// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = epilogue(A B^T) and C = epilogue(A B) with B made at run time, for many rows of A: a panel of B's columns at a
// time goes to scratch. Turned round, so that lanes run along columns and no sum has lanes to add up; or copied, where
// B's rows begin at the same places of pages, so that few of them stay in the first-level cache at a time. For few rows
// gemm_unpacked.h is faster.
#pragma once

#include "templates/maps/turn.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// C = epilogue(A B), with what `fill(column, columns, panel)` makes of so many columns of B, from `column` on, in rows
/// of NR. The rest as in gemmRows.
template <int R, int NR, class TB, class TA, class TC, class LdA, class Step, class LdC, class M, class N, class K,
          class Fill, class Epilogue>
SINTER_INLINE void gemmOfPanels(const TA *a, LdA lda, Step step, TC *c, LdC ldc, M m, N n, K k, void *scratch,
                                Fill fill, Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  constexpr int lanes = kLanes<E> <= NR ? kLanes<E> : NR, vectors = NR / lanes;
  static_assert(NR % lanes == 0, "a tile is whole vectors");
  using V = Vec<E, lanes>;
  TB *const panel = static_cast<TB *>(scratch);
  for (int64_t column = 0; column < n; column += NR) {
    const int64_t columns = n - column < NR ? n - column : NR;
    fill(column, columns, panel);
    if (columns < NR) // what no column of B fills goes into sums that are dropped
      for (int64_t p = 0; p < k; ++p)
        for (int64_t j = columns; j < NR; ++j)
          panel[p * NR + j] = TB{};
    rowTiles<R>(m, [&](int64_t rows, int64_t row) {
      V sums[R * vectors];
      withRows<kTileSizes<R, M>>(rows, [&](auto fixed) {
        rankUpdates<int(decltype(fixed)::value), vectors>(a + row * lda, lda, step, panel, Fixed<NR>{}, k,
                                                          Ahead{reinterpret_cast<const char *>(panel), 0}, &sums[0]);
      });
      storeTile<kRestOf<V, N>>(&sums[0], rows, vectors, c, ldc, row, column, n, epilogue);
    });
  }
}

/// C[m, n] = epilogue(A[m, k] B[n, k]^T), as gemmRows has it; rows of B are ldb elements apart. `scratch`: k * NR
/// elements of B.
template <int R, int NR, class TA, class TB, class TC, class LdA, class Step, class LdB, class LdC, class M, class N,
          class K, class Epilogue>
void gemmTurned(const TA *a, LdA lda, Step step, const TB *b, LdB ldb, TC *c, LdC ldc, M m, N n, K k, void *scratch,
                Epilogue epilogue) {
  gemmOfPanels<R, NR, TB>(
      a, lda, step, c, ldc, m, n, k, scratch,
      [&](int64_t column, int64_t columns, TB *panel) { turn(b + column * ldb, ldb, panel, NR, k, columns); },
      epilogue);
}

/// C[m, n] = epilogue(A[m, k] B[k, n]), likewise.
template <int R, int NR, class TA, class TB, class TC, class LdA, class Step, class LdB, class LdC, class M, class N,
          class K, class Epilogue>
void gemmCopied(const TA *a, LdA lda, Step step, const TB *b, LdB ldb, TC *c, LdC ldc, M m, N n, K k, void *scratch,
                Epilogue epilogue) {
  gemmOfPanels<R, NR, TB>(
      a, lda, step, c, ldc, m, n, k, scratch,
      [&](int64_t column, int64_t columns, TB *panel) {
        for (int64_t p = 0; p < k; ++p)
          memcpy(panel + p * NR, b + p * ldb + column, size_t(columns) * sizeof(TB));
      },
      epilogue);
}

} // namespace
} // namespace sinter
