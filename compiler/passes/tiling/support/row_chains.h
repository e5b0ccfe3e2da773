// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of ops on feature maps that hand on rows: which ops, and who reads whose rows how. For tile_rows.cpp.
#pragma once

#include "map_lifetimes.h"
#include "row_tile_choice.h"

namespace sinter {

/// The chains of a block.
struct RowChains {
  std::vector<std::vector<ChainStep>> chains;
  llvm::DenseSet<int64_t> members; ///< positions of all steps

  RowChains(mlir::Block &block, const MapLifetimes &lifetimes);
};

} // namespace sinter
