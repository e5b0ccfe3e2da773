// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tile registers go along k: in steps that are all as long, so that one configuration serves for all of them and no
// rest is left. tile_registers.h; the compiler takes other kernels where there are no such steps
// (compiler/kernels/dot4/support/tile_cost.h).
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter {
namespace {

/// Rows of a tile register, and columns of sums in one.
[[maybe_unused]] constexpr int64_t kTileRows = 16, kTileColumns = 16;
/// Rows that blocks of tiles have at most.
[[maybe_unused]] constexpr int64_t kRowsOfTiles = 2 * kTileRows;

/// The bytes of a row of a tile register.
[[maybe_unused]] constexpr int64_t kTileStepBytes = 64;
/// Shorter steps leave registers so empty that dot products are as fast.
[[maybe_unused]] constexpr int64_t kLeastTileStep = 32;

/// The bytes of a step in runs of so many, up to 64, always fours; 0 where runs are none.
SINTER_INLINE constexpr int64_t bytesOfTileStep(int64_t length) {
  if (length <= 0 || length % 4 != 0)
    return 0;
  const int64_t fours = length / 4;
  int64_t step = fours < 16 ? fours : 16;
  while (fours % step != 0)
    --step;
  return step * 4;
}

} // namespace
} // namespace sinter
