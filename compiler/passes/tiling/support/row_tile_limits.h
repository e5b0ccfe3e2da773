// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --fit ram by real plans: row_tile_choice.h goes by estimates that know nothing of scratch, alignment and packing, so
// several limits for them are tried, and so is what the default takes.
#pragma once

#include "target/target.h"
#include "target/wishes.h"

#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <tuple>
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

/// What a plan needs: the less the better, the first first.
struct RowTilingNeed {
  int64_t excess = 0; ///< bytes over what --ram allows
  int64_t arena = 0;  ///< bytes
  double work = 1;    ///< of the chains, by estimate, as a share of that without row tiles

  bool operator<(const RowTilingNeed &other) const {
    return std::tie(excess, arena, work) < std::tie(other.excess, other.arena, other.work);
  }
};

/// The way that needs least, of equal ones the one with the least limit; nullopt where no plan is made. `plan` says
/// what a way's plan needs, nullopt where it fails; ways go to it from the least limit on, and those with a limit from
/// the best arena on do not: plans need what they were allowed and a bit for scratch and alignment, or a bit less.
std::optional<RowTilingWay> bestRowTiling(std::vector<RowTilingWay> ways,
                                          llvm::function_ref<std::optional<RowTilingNeed>(const RowTilingWay &)> plan);

/// The same of the ways that Fit::Ram may take in a module; nullopt where there are no tiles to choose. `plan` runs the
/// passes from tile-rows to plan-memory, on copies.
std::optional<RowTilingWay>
bestRowTiling(mlir::ModuleOp module, const Target &target, Threads threads,
              llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, const RowTilingWay &)> plan);

} // namespace sinter
