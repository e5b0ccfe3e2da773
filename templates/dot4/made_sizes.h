// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What int_gemm_made.h takes of scratch, for its template and for the compiler, which reserves it.
#pragma once

#include "templates/dot4/tile_steps.h"
#include "templates/loops/rounded_up.h"

namespace sinter {
namespace {

/// Packed columns of more bytes would leave the second-level cache before all rows are multiplied with them.
[[maybe_unused]] constexpr int64_t kMostPackedBytes = 256 << 10;

/// Where things lie in scratch, in bytes. Columns of at most k bytes are packed in panels of so many.
struct MadeSizes {
  int64_t columns; ///< as many are packed at a time
  int64_t columnTerms, rowTerms, zeros, packed;
};
SINTER_INLINE constexpr MadeSizes madeSizes(int64_t m, int64_t n, int64_t k, int64_t panel) {
  const int64_t most = kMostPackedBytes / (roundedUp(k, kTileStepBytes) * panel + 1) * panel, all = roundedUp(n, panel);
  MadeSizes sizes{};
  sizes.columns = most < panel ? panel : most < all ? most : all;
  sizes.rowTerms = roundedUp(sizes.columns * 4, 64);
  sizes.zeros = sizes.rowTerms + roundedUp(m * 4, 64);
  sizes.packed = sizes.zeros + roundedUp(sizes.columns, 64);
  return sizes;
}

/// All of it, for any sizes up to these.
SINTER_INLINE constexpr int64_t madeScratchBytes(int64_t m, int64_t n, int64_t k, int64_t panel) {
  const int64_t columns = roundedUp(n, panel), depth = roundedUp(k, kTileStepBytes), whole = columns * depth;
  const int64_t most = depth * panel < kMostPackedBytes ? kMostPackedBytes : depth * panel;
  return roundedUp(columns * 4, 64) + roundedUp(m * 4, 64) + roundedUp(columns, 64) + (whole < most ? whole : most);
}

} // namespace
} // namespace sinter
