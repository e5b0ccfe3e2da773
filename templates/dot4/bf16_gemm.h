// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B[k, n]) for bf16 by instructions that multiply small matrices (matrix_tile.h): sums in
// float, B a constant, packed by the compiler as [ceil(n / NR)][ceil(k / 4)][NR][4], zeros behind n and k.
#pragma once

#include "templates/dot4/int_tile.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// How matrix_tile.h takes bf16: so many bytes at a time, of so many rows as fast as of one.
template <int kTogether, int kRowsTogether>
struct Bf16Kind {
  static constexpr bool isFlipped = false, fillsRests = true;
  static constexpr int together = kTogether, rowsTogether = kRowsTogether, extras = 0;
};
using Bf16Squares = Bf16Kind<8, 2>;

/// Bytes of n elements, Fixed or not.
template <class N>
SINTER_INLINE constexpr auto bytesOfBf16([[maybe_unused]] N n) {
  if constexpr (kFixed<N> >= 0)
    return Fixed<kFixed<N> * int64_t(sizeof(bf16))>{};
  else
    return n * int64_t(sizeof(bf16));
}

/// A: m rows, lda elements apart; C: m rows, ldc apart. m, n, k, lda, ldc: Fixed or int64_t, 0 allowed. Tile as
/// rowsOfMatrixTile of the compiler has it. `epilogue(v, i, j)`: row i, columns j and on. No scratch, no alignment
/// beyond the elements'.
template <int R, int NR, class TC, class LdA, class LdC, class M, class N, class K, class Epilogue>
SINTER_HOST_DEVICE void bf16Gemm(const bf16 *a, LdA lda, const bf16 *b, TC *c, LdC ldc, M m, N n, K k,
                                 Epilogue epilogue) {
  using V = Vec<float, (kLanes<float> <= NR ? kLanes<float> : NR)>;
  constexpr int vectors = NR / kLanesOf<V>;
  static_assert(NR % kLanesOf<V> == 0, "a panel is whole vectors");
  const auto stride = bytesOfBf16(lda);
  const ByteRuns<Fixed<1>, Fixed<1>, decltype(bytesOfBf16(k)), Fixed<0>, Fixed<0>> run = {
      {}, {}, bytesOfBf16(k), {}, {}};
  const int64_t pitch = panelBytes<Bf16Squares, NR>(run.perColumn(Bf16Squares::together)), panels = (n + NR - 1) / NR;
  const auto *rowsOfA = reinterpret_cast<const uint8_t *>(a);
  const auto *panelsOfB = reinterpret_cast<const int8_t *>(b);
  // Few rows are bound by reading B: several panels at a time keep enough sums in flight.
  constexpr int streams = (kFixed<M> < 0 || kFixed<M> <= 2) && vectors < 8 ? 8 / vectors : 1;
  const auto tiles = [&](auto count, int64_t panel) {
    constexpr int s = int(decltype(count)::value), r = s > 1 && R > 2 ? 2 : R;
    rowTiles<r, Bf16Squares::rowsTogether>(m, [&](int64_t rows, int64_t row) {
      V sums[r * vectors * s];
      withRows<kTileSizes<r, M, Bf16Squares::rowsTogether>>(rows, [&](auto fixed) {
        squareTile<int(decltype(fixed)::value), NR, s, Bf16Squares>(rowsOfA + row * stride, stride, run,
                                                                    panelsOfB + panel * pitch, pitch, &sums[0]);
      });
      storeTile<kRestOf<V, N>>(&sums[0], rows, vectors * s, c, ldc, row, panel * NR, n, epilogue);
    });
  };
  int64_t panel = 0;
  if constexpr (streams > 1)
    if (m <= 2)
      for (; panel + streams <= panels; panel += streams)
        tiles(Fixed<streams>{}, panel);
  for (; panel < panels; ++panel)
    tiles(Fixed<1>{}, panel);
}

/// Element (p, j) of packed B with k rows: for operands that no tile takes.
template <int NR, class>
SINTER_INLINE bf16 packedElement(const bf16 *b, int64_t k, int64_t p, int64_t j) {
  return b[((j / NR * ((k + 3) / 4) + p / 4) * NR + j % NR) * 4 + p % 4];
}

} // namespace
} // namespace sinter
