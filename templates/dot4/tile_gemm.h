// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// intGemm of int_gemm.h in tile registers: tile_registers.h says how sums are made.
#pragma once

#include "templates/dot4/tile_registers.h"

namespace sinter {
namespace {

/// As intGemm, with the same weights and sums, for bytes that are not flipped and k of whole steps (tile_steps.h).
/// `Tiles`: the instructions.
template <int NR, class X, class Tiles = AmxTiles, class TA, class TC, class LdA, class LdC, class M, class N, class K,
          class Epilogue>
void tileGemm(const TA *a, LdA lda, const int8_t *b, TC *c, LdC ldc, M m, N n, K k, Epilogue epilogue) {
  using V = IntPanelVector<NR>;
  using One = Fixed<1>;
  static_assert(sizeof(TA) == 1, "bytes");
  const ByteRuns<One, One, K, Fixed<0>, Fixed<0>> runs = {{}, {}, k, {}, {}};
  const auto *bytes = reinterpret_cast<const uint8_t *>(a);
  const auto from = [&](int64_t, int64_t row) { return bytes + row * lda; };
  const auto write = [&](const int32_t *sums, int64_t pitch, int64_t count, int64_t, int64_t row, int64_t panel) {
    const int64_t first = panel * NR;
    const Epilogue values = epilogue; // nearby: what is written could lie where the caller's is
    const auto each = [&](auto columns) {
      for (int64_t i = 0; i < count; ++i)
        storeEach<V>(sums + i * pitch, columns, c + (row + i) * ldc + first,
                     [&](auto v, int64_t j) { return values(v, row + i, first + j); });
    };
    if (n - first >= NR)
      each(Fixed<NR>{});
    else if constexpr (kFixed<N> >= 0)
      each(Fixed<kFixed<N> % NR>{});
    else
      each(int64_t(n - first));
  };
  TileRegisters<Tiles> registers;
  tileProducts<NR, X>(registers, 1, m, n, lda, runs, b, from, write);
}

} // namespace
} // namespace sinter
