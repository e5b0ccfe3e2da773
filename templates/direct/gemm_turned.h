// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = epilogue(A B^T) with B^T made at run time, for many rows of A: a panel of B's columns at a time is turned round
// in scratch, so that lanes run along columns and no sum has lanes to add up. For few rows gemm_unpacked.h's dot
// products are faster.
#pragma once

#include "templates/maps/turn.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// C[m, n] = epilogue(A[m, k] B[n, k]^T), as gemmRows has it; rows of B are ldb elements apart. `scratch`: k * NR
/// elements of B.
template <int R, int NR, class TA, class TB, class TC, class LdA, class Step, class LdB, class LdC, class M, class N,
          class K, class Epilogue>
void gemmTurned(const TA *a, LdA lda, Step step, const TB *b, LdB ldb, TC *c, LdC ldc, M m, N n, K k, void *scratch,
                Epilogue epilogue) {
  using E = AccumulatorOf<TA>;
  constexpr int lanes = kLanes<E> <= NR ? kLanes<E> : NR, vectors = NR / lanes;
  static_assert(NR % lanes == 0, "a tile is whole vectors");
  using V = Vec<E, lanes>;
  TB *const panel = static_cast<TB *>(scratch);
  for (int64_t column = 0; column < n; column += NR) {
    const int64_t columns = n - column < NR ? n - column : NR;
    turn(b + column * ldb, ldb, panel, NR, k, columns);
    if (columns < NR) // what no row of B fills goes into sums that are dropped
      for (int64_t p = 0; p < k; ++p)
        for (int64_t j = columns; j < NR; ++j)
          panel[p * NR + j] = TB{};
    rowTiles<R>(m, [&](int64_t rows, int64_t row) {
      V sums[R * vectors];
      withRows<kTileSizes<R, M>>(rows, [&](auto fixed) {
        rankUpdates<int(decltype(fixed)::value), vectors>(a + row * lda, lda, step, panel, Fixed<NR>{}, k,
                                                          reinterpret_cast<const char *>(panel), &sums[0]);
      });
      storeTile<kRestOf<V, N>>(&sums[0], rows, vectors, c, ldc, row, column, n, epilogue);
    });
  }
}

} // namespace
} // namespace sinter
