// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A segment of a chain as a loop over row tiles.
#pragma once

#include "row_tile_choice.h"

namespace sinter {

/// Replaces the steps of the segment by one scf.for, which computes each row of each step once: a step's last rows that
/// later tiles read stay in its window. With several bands that loop is in one over bands (ir/bands.h), which share no
/// row but the last step's output. `why`: for the code and the report.
mlir::LogicalResult makeRowTileLoop(llvm::ArrayRef<ChainStep> chain, const Segment &segment, llvm::StringRef why);

} // namespace sinter
