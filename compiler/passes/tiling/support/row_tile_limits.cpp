// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two estimates are asked: maps that lie over their inputs need less than both, but where one lies a bit below the
// other in a whole chain, these bits add up, and maps apart from each other can take less. Each trial costs the later
// half of the pipeline on a copy, which shares the constants.
#include "row_tile_limits.h"

#include "memory/arenas.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include <set>

using namespace mlir;

namespace sinter {

static RowTilingNeed needOf(ModuleOp planned) {
  RowTilingNeed need;
  for (func::FuncOp function : planned.getOps<func::FuncOp>()) {
    if (auto work = function->getAttrOfType<FloatAttr>("sinter.row_tiling_work"))
      need.work = std::max(need.work, work.getValueAsDouble());
    for (const Arena &arena : arenasOf(function)) {
      need.arena += arena.bytes;
      need.excess += std::max<int64_t>(0, arena.bytes - arena.limit);
    }
  }
  return need;
}

std::optional<RowTilingWay> bestRowTiling(std::vector<RowTilingWay> ways,
                                          llvm::function_ref<std::optional<RowTilingNeed>(const RowTilingWay &)> plan) {
  auto limitOf = [](const RowTilingWay &way) { return way.budget.bytes.value_or(0); };
  llvm::stable_sort(ways, [&](const RowTilingWay &a, const RowTilingWay &b) { return limitOf(a) < limitOf(b); });
  std::optional<std::pair<RowTilingNeed, RowTilingWay>> best;
  for (const RowTilingWay &way : ways) {
    if (best && best->first.excess == 0 && limitOf(way) >= best->first.arena)
      break;
    std::optional<RowTilingNeed> need = plan(way);
    if (need && (!best || *need < best->first))
      best = {*need, way};
  }
  return best ? std::optional(best->second) : std::nullopt;
}

std::optional<RowTilingWay> bestRowTiling(ModuleOp module, const Target &target, Threads threads,
                                          llvm::function_ref<LogicalResult(ModuleOp, const RowTilingWay &)> plan) {
  constexpr int64_t mostLimits = 4;
  std::vector<RowTilingWay> ways = {{Fit::Balanced, {}}};
  std::set<double> costs; // tiles that cost the same are the same
  for (bool apart : {false, true}) {
    OwningOpRef<ModuleOp> copy = module.clone();
    for (const RowTilingLimit &limit : limitsOfRowTiling(*copy, target, threads, apart, mostLimits))
      if (costs.insert(limit.cycles).second)
        ways.push_back({Fit::Ram, {limit.bytes, apart}});
  }
  if (ways.size() == 1)
    return std::nullopt; // there are no chains
  ScopedDiagnosticHandler unheard(module.getContext(), [](Diagnostic &) { return success(); });
  return bestRowTiling(ways, [&](const RowTilingWay &way) -> std::optional<RowTilingNeed> {
    OwningOpRef<ModuleOp> copy = module.clone();
    if (failed(plan(*copy, way)))
      return std::nullopt;
    return needOf(*copy);
  });
}

} // namespace sinter
