// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --fit ram by real plans: row_tile_choice.h goes by estimates that know nothing of scratch, alignment and packing, so
// several limits for them are tried, and so is what the default takes.
#pragma once

#include "target/target.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace sinter {

/// A limit for the feature maps (RowTilingBudget), and what the tiles cost that it leads to.
struct RowTilingLimit {
  int64_t bytes = 0;
  double cycles = 0;
};

/// From the least that Fit::Ram may take up to what no tiles need, at most `most` + 1 of them, each with tiles of
/// its own. Splits pools as tile-rows does.
std::vector<RowTilingLimit> limitsOfRowTiling(mlir::ModuleOp module, const Target &target, Threads threads,
                                              bool mapsApart, int64_t most);

/// A way to choose tiles.
struct RowTilingWay {
  Fit fit = Fit::Balanced;
  RowTilingBudget budget;
};

/// Of those that Fit::Ram may take the one with the smallest arena, of equal ones that with the least work; nullopt
/// where there are no tiles to choose. `plan` runs the passes from tile-rows to plan-memory, on copies.
std::optional<RowTilingWay>
bestRowTiling(mlir::ModuleOp module, const Target &target, Threads threads,
              llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, const RowTilingWay &)> plan);

} // namespace sinter
