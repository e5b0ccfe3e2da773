// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C[m, n] = epilogue(A[m, k] B[k, n]) for bytes: sums in int32, B a constant, packed by the compiler as
// [ceil(n / NR)][ceil(k / 4)][NR][4], zeros behind n, or with eight bytes together; int_tile.h and matrix_tile.h say
// where a rest of k stands.
#pragma once

#include "templates/dot4/int_tile.h"
#include "templates/panels/tile.h"

namespace sinter {
namespace {

/// X says how A's bytes are taken. A: m rows, lda bytes apart; C: m rows, ldc elements apart. m, n, k, lda, ldc: Fixed
/// or int64_t, 0 allowed. Tile as in gemm.h. `epilogue(v, i, j)`: row i, columns j and on. No scratch, no alignment.
template <int R, int NR, class X, class TA, class TC, class LdA, class LdC, class M, class N, class K, class Epilogue>
SINTER_HOST_DEVICE void intGemm(const TA *a, LdA lda, const int8_t *b, TC *c, LdC ldc, M m, N n, K k,
                                Epilogue epilogue) {
  using V = IntPanelVector<NR>;
  constexpr int vectors = NR / kLanesOf<V>;
  static_assert(NR % kLanesOf<V> == 0 && sizeof(TA) == 1, "a panel is whole vectors");
  using One = Fixed<1>;
  const ByteRuns<One, One, K, Fixed<0>, Fixed<0>> runs = {{}, {}, k, {}, {}};
  const int64_t pitch = panelBytes<X, NR>(runs.perColumn(X::together)), panels = (n + NR - 1) / NR;
  const auto *bytes = reinterpret_cast<const uint8_t *>(a);
  // Few rows are bound by reading B: several panels at a time keep enough sums in flight.
  constexpr int64_t most = kFixed<M> < 0 ? 2 : kFixed<M>;
  constexpr int streams = most <= 2 && vectors * most < 8 ? int(8 / (vectors * (most > 0 ? most : 1))) : 1;
  const auto tiles = [&](auto count, int64_t panel) {
    constexpr int s = int(decltype(count)::value), r = s > 1 && R > 2 ? 2 : R;
    rowTiles<r, X::rowsTogether>(m, [&](int64_t rows, int64_t row) {
      V sums[r * vectors * s];
      withRows<kTileSizes<r, M, X::rowsTogether>>(rows, [&](auto fixed) {
        byteTile<int(decltype(fixed)::value), vectors, s, X>(bytes + row * lda, lda, runs, b + panel * pitch, pitch,
                                                             &sums[0]);
      });
      const int64_t first = panel * NR;
      const Epilogue values = epilogue; // nearby: what is written could lie where the caller's is
      const auto write = [&](auto count) {
        for (int64_t i = 0; i < rows; ++i) {
          TC *to = c + (row + i) * ldc + first;
          storeEach<V>(reinterpret_cast<const int32_t *>(&sums[i * vectors * s]), count, to,
                       [&](auto v, int64_t j) { return values(v, row + i, first + j); });
        }
      };
      if (n - first >= s * NR)
        write(Fixed<s * NR>{});
      else if constexpr (kFixed<N> >= 0)
        write(Fixed<(s - 1) * NR + kFixed<N> % NR>{});
      else
        write(int64_t(n - first));
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
template <int NR, class X>
SINTER_INLINE int8_t packedElement(const int8_t *b, int64_t k, int64_t p, int64_t j) {
  constexpr int64_t together = X::together;
  const int64_t steps = (k + together - 1) / together, step = p / together;
  int64_t place = p % together;
  if (step * together + together > k && k > together)
    place = p - (k - together);
  else if (together == 8 && k > 4 && k < 8 && p >= 4) // the last four of two that share bytes
    place = p + (8 - k);
  const int8_t *const panel = b + j / NR * panelBytes<X, NR>(steps * together);
  const auto at = [&](int64_t row) { return panel[(row * NR + j % NR) * together + place]; };
  int sum = at(step);
  for (int64_t e = 0; e < X::extras; ++e) {
    int32_t packed;
    memcpy(&packed, panel + ((steps + X::extras) * NR + e) * 4, sizeof(packed));
    if (placeOf(packed).byte == p - place)
      sum += at(steps + e);
  }
  return int8_t(sum);
}

} // namespace
} // namespace sinter
