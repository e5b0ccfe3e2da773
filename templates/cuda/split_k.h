// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile_gemm.h's product where tiles are too few to fill the device: k is cut into `splits` slices, a block for each
// slice of each tile. The block that ends last adds the slices' sums in their order, whichever that was: equal bits
// every time. Grid: ceil(m / kM) x ceil(n / kN) x splits.
#pragma once

#include "templates/cuda/last_block.h"
#include "templates/cuda/slices_at_once.h"
#include "templates/cuda/tile_gemm.h"

namespace sinter::cuda {
namespace {

/// As product. `partials`: splits * tiles * kM * kN sums. `counters`: one for each tile, 0 before and after.
template <class Tile, class A, class B, class TC, class Epilogue>
SINTER_DEVICE void splitProduct(const A &rows, const B &columns, TC *c, int ldc, int m, int n, int k, int splits,
                                typename Tile::Sum *partials, uint32_t *counters, Epilogue epilogue) {
  const int steps = ceilDiv(k, Tile::kStep), perSlice = ceilDiv(steps, splits), firstStep = blockZ() * perSlice;
  typename A::template Cursor<Tile, Tile::kM / Tile::kPass> a(rows, blockX() * Tile::kM, firstStep);
  typename B::template Cursor<Tile, Tile::kN / Tile::kPass> b(columns, blockY() * Tile::kN, firstStep);
  constexpr int sumsPerTile = Tile::kM * Tile::kN;
  TileSums<Tile> sums;
  multiplyTile<Tile>(sums, a, b, least(perSlice, steps - firstStep));
  const int tiles = ceilDiv(m, Tile::kM) * ceilDiv(n, Tile::kN), tile = blockY() * ceilDiv(m, Tile::kM) + blockX();
  // A sum of all threads is one row, so that they store side by side.
  const auto partOf = [&](int slice) {
    return partials + (int64_t(slice) * tiles + tile) * sumsPerTile + threadIndex();
  };
  typename Tile::Sum *own = partOf(blockZ());
  SINTER_DEVICE_UNROLL
  for (int i = 0; i < Tile::kWarpM / 16; ++i)
    for (int j = 0; j < Tile::kWarpN / 8; ++j)
      for (int e = 0; e < 4; ++e, own += Tile::kThreads)
        *own = sums[i][j][e];
  if (!isLastBlock(counters + tile, splits))
    return;
  clear<Tile>(sums);
  constexpr int sumsOfThread = sumsPerTile / Tile::kThreads, atOnce = slicesAtOnce(sumsOfThread);
  SINTER_DEVICE_LOOP
  for (int first = 0; first < splits; first += atOnce) {
    typename Tile::Sum parts[atOnce][sumsOfThread]; // all on their way before the first is added
    SINTER_DEVICE_UNROLL
    for (int s = 0; s < atOnce; ++s) {
      const typename Tile::Sum *part = partOf(least(first + s, splits - 1));
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < sumsOfThread; ++i)
        parts[s][i] = loadOthers(part + i * Tile::kThreads);
    }
    SINTER_DEVICE_UNROLL
    for (int s = 0; s < atOnce; ++s) {
      if (first + s >= splits)
        continue;
      SINTER_DEVICE_UNROLL
      for (int i = 0; i < Tile::kWarpM / 16; ++i)
        for (int j = 0; j < Tile::kWarpN / 8; ++j)
          for (int e = 0; e < 4; ++e)
            sums[i][j][e] += parts[s][(i * (Tile::kWarpN / 8) + j) * 4 + e];
    }
  }
  storeTile<Tile>(sums, blockX() * Tile::kM, blockY() * Tile::kN, c, ldc, m, n, epilogue,
                  PlainSum<A, B>{rows, columns, k});
}

/// As gemm.
template <class Tile, bool kAligned, class TA, class TB, class TC, class Epilogue>
SINTER_DEVICE void splitGemm(const TA *a, int lda, const TB *b, int ldb, TC *c, int ldc, int m, int n, int k,
                             int splits, typename Tile::Sum *partials, uint32_t *counters, Epilogue epilogue) {
  splitProduct<Tile>(MatrixRows<TA, kAligned>{a, lda, m, k}, MatrixRows<TB, kAligned>{b, ldb, n, k}, c, ldc, m, n, k,
                     splits, partials, counters, epilogue);
}

} // namespace
} // namespace sinter::cuda
