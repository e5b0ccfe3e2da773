// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of convolutions, pools and elementwise ops by row tiles: a loop over rows of the last op's output, in
// which each op computes the rows that later ones read next, so that what lies between them stays in the cache, or
// never takes a whole feature map's memory. Each row is computed once: those that the next tile reads again are kept
// in a window. Which ops: row_chains.cpp; what is worth it: row_tile_choice.cpp; the loop: row_tile_loop.cpp.
#include "passes/passes.h"

#include "passes/tiling/support/pool_sums.h"
#include "passes/tiling/support/row_chains.h"
#include "passes/tiling/support/row_tile_limits.h"
#include "passes/tiling/support/row_tile_loop.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace sinter;

static std::string describeSegment(const Segment &segment, const RowTilingGoal &goal) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << segment.tiles << " row tiles of " << segment.rows << (segment.rows == 1 ? " row: " : " rows: ");

  if (goal.leastMemory || goal.cacheBytes == 0)
    out << "buffers of " << segment.tileBytes << " bytes instead of whole feature maps";
  else
    out << llvm::format("%.0f", segment.cycles / 1000) << " instead of "
        << llvm::format("%.0f", segment.plainCycles / 1000) << " thousand cycles by estimate, because "
        << segment.tileBytes << " bytes stay in L2";
  return text;
}

/// The chains of a function's block and all ways to cut each.
struct BlockChoices {
  MapLifetimes lifetimes;
  RowChains found;
  std::vector<RowTilingChoice> choices;
  int64_t elsewhere; ///< the largest need of an op that is in no chain

  BlockChoices(Block &block, const Target &target, const RowTilingGoal &goal)
      : lifetimes(block, target, {goal.threads}, goal.overlaps), found(block, lifetimes),
        elsewhere(lifetimes.largestExcept(found.members)) {
    auto live = [&](int64_t from, int64_t to) { return lifetimes.liveBytes(from, to); };
    for (const auto &chain : found.chains)
      choices.emplace_back(chain, goal, live);
  }
};

static void splitPools(Block &block, const RowTilingGoal &goal) {
  if (goal.leastMemory || goal.cacheBytes == 0)
    splitWholePools(block, goal.cacheBytes == 0 ? PoolSums::IntegersIfClose : PoolSums::Defined);
}

/// visit(function, its choices) for each function with a body, its pools split as the goal wants them.
static LogicalResult forEachFunction(ModuleOp module, const Target &target, const RowTilingGoal &goal,
                                     llvm::function_ref<LogicalResult(func::FuncOp, const BlockChoices &)> visit) {
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Block &block = function.getBody().front();
    splitPools(block, goal);
    if (failed(visit(function, BlockChoices(block, target, goal))))
      return failure();
  }
  return success();
}

LogicalResult sinter::tileRows(ModuleOp module, const Target &target, Fit fit, Threads threads,
                               RowTilingBudget budget) {
  RowTilingGoal goal = RowTilingGoal::of(target, fit, threads, budget);
  return forEachFunction(module, target, goal, [&](func::FuncOp function, const BlockChoices &all) -> LogicalResult {
    int64_t limit = goal.leastMemory ? leastLimit(all.choices, goal, std::max(all.elsewhere, goal.memoryLimit))
                                     : std::numeric_limits<int64_t>::max();
    // All choices before the first rewrite: positions and lifetimes are those of the program as it was.
    std::vector<std::pair<ArrayRef<ChainStep>, Segment>> chosen;
    double cycles = 0, plainCycles = 0;
    for (const auto &[chain, choice] : llvm::zip(all.found.chains, all.choices))
      for (const Segment &segment : choice.within(limit)) {
        cycles += segment.cycles;
        plainCycles += segment.plainCycles;
        if (segment.isFused())
          chosen.emplace_back(chain, segment);
      }
    if (plainCycles > 0)
      function->setAttr("sinter.row_tiling_work",
                        FloatAttr::get(Float64Type::get(module.getContext()), cycles / plainCycles));
    for (const auto &[chain, segment] : chosen)
      if (failed(makeRowTileLoop(chain, segment, describeSegment(segment, goal))))
        return failure();
    return success();
  });
}

std::vector<RowTilingLimit> sinter::limitsOfRowTiling(ModuleOp module, const Target &target, Threads threads,
                                                      bool mapsApart, int64_t most) {
  RowTilingGoal goal = RowTilingGoal::of(target, Fit::Ram, threads, {std::nullopt, mapsApart});
  std::vector<RowTilingLimit> limits;
  (void)forEachFunction(module, target, goal, [&](func::FuncOp, const BlockChoices &all) -> LogicalResult {
    if (all.choices.empty())
      return success();
    int64_t least = leastLimit(all.choices, goal, all.elsewhere), enough = least;
    for (const RowTilingChoice &choice : all.choices)
      enough = std::max(enough, choice.plainBytes());
    for (int64_t step = 0; step <= most; ++step) {
      RowTilingLimit limit{least + (enough - least) * step / most};
      for (const RowTilingChoice &choice : all.choices)
        for (const Segment &segment : choice.within(limit.bytes))
          limit.cycles += segment.cycles;
      if (limits.empty() || limits.back().cycles != limit.cycles)
        limits.push_back(limit);
    }
    return success();
  });
  return limits;
}
