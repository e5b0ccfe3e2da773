// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of flash_attention.h, and what a block has in shared memory. The compiler chooses tiles by these functions
// (compiler/kernels/cuda/attention_tiles.cpp), so what it reserves is what the kernel uses: plain numbers, no header of
// the device.
#pragma once

#include "runtime-lite/compiler.h"

namespace sinter::cuda {

/// What a block computes: 16 queries for each of rowWarps, from tiles of keys, of which each of keyWarps has `keys`.
struct AttentionShape {
  int depth, width; ///< elements of a query and of a value that there is room for, multiples of 32
  int rowWarps, keyWarps, keys;
  int stages;       ///< tiles of keys and values in shared memory
  int elementBytes; ///< 2 or 4

  SINTER_HOST_DEVICE constexpr int threads() const { return rowWarps * keyWarps * 32; }
  SINTER_HOST_DEVICE constexpr int queries() const { return rowWarps * 16; }
  SINTER_HOST_DEVICE constexpr int tileKeys() const { return keyWarps * keys; }
  SINTER_HOST_DEVICE constexpr int queryBytes() const { return queries() * depth * elementBytes; }
  SINTER_HOST_DEVICE constexpr int keyBytes() const { return tileKeys() * depth * elementBytes; }
  SINTER_HOST_DEVICE constexpr int stageBytes() const { return tileKeys() * (depth + width) * elementBytes; }
  /// Whether queries stay in registers: those of wide heads take too many.
  SINTER_HOST_DEVICE constexpr bool holdsQueries() const { return depth * elementBytes <= 256; }
  /// Floats of a row of sums that waits to be merged: padded, so that what lanes store lies in different banks.
  SINTER_HOST_DEVICE constexpr int pitch() const { return width + 16 / elementBytes; }
  /// Sums of all warps that share keys, with the greatest score and the total of each row.
  SINTER_HOST_DEVICE constexpr int mergeBytes() const {
    return keyWarps == 1 ? 0 : keyWarps * queries() * (pitch() + 2) * 4;
  }
  SINTER_HOST_DEVICE constexpr int sharedBytes() const {
    const int tiles = queryBytes() + stages * stageBytes();
    return tiles > mergeBytes() ? tiles : mergeBytes();
  }
};

} // namespace sinter::cuda
