// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What products of bytes take in tile registers (templates/dot4/tile_registers.h), and by dot products of vectors: by
// which of them weights are packed for.
#pragma once

#include "kernels/cycles.h"

namespace sinter {

/// `groups` times rows of A that lie `rows` beside each other, by n columns; a sum is of `runs` runs of `length` bytes.
/// `batch` such products.
struct TileProduct {
  int64_t batch = 1, groups = 1, rows = 1, n = 1, runs = 1, length = 1;
};
/// Cycles of a core with AMX; nothing where runs have no steps of tiles, or targets no such registers.
std::optional<double> cyclesInTiles(const Target &target, const TileProduct &product);
/// Whether that is less than dot products take at their best: a row alone uses a sixteenth of a tile.
bool isForTiles(const Target &target, const TileProduct &product);

/// The estimate of a contraction whose kernel says `tiles`, or of dot products.
std::optional<double> estimateBytes(MatmulOp op, const Target &target);
std::optional<double> estimateBytes(ConvOp op, const Target &target);

} // namespace sinter
