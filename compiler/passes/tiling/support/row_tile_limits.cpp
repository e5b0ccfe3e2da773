// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two estimates are asked: maps that lie over their inputs need less than both, but where one lies a bit below the
// other in a whole chain, these bits add up, and maps apart from each other can take less. Each trial costs the later
// half of the pipeline on a copy, which shares the constants.
#include "row_tile_limits.h"

#include "memory/arenas.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>
#include <set>
#include <tuple>

using namespace mlir;

namespace sinter {
namespace {

/// What a plan needs: the less the better, the first first.
struct Need {
  int64_t excess = 0; ///< over what --ram allows
  int64_t arena = 0;
  double work = 1;

  bool operator<(const Need &other) const {
    return std::tie(excess, arena, work) < std::tie(other.excess, other.arena, other.work);
  }
};

Need needOf(ModuleOp planned) {
  Need need;
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

} // namespace

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
  // From the least limit on: plans need what they were allowed and a bit for scratch and alignment, or a bit less, so
  // that limits from the best arena on lead to larger ones.
  auto limitOf = [](const RowTilingWay &way) { return way.budget.bytes.value_or(0); };
  llvm::stable_sort(ways, [&](const RowTilingWay &a, const RowTilingWay &b) { return limitOf(a) < limitOf(b); });
  std::optional<std::pair<Need, RowTilingWay>> best;
  ScopedDiagnosticHandler unheard(module.getContext(), [](Diagnostic &) { return success(); });
  for (const RowTilingWay &way : ways) {
    if (best && best->first.excess == 0 && limitOf(way) >= best->first.arena)
      break;
    OwningOpRef<ModuleOp> copy = module.clone();
    if (failed(plan(*copy, way)))
      continue;
    Need need = needOf(*copy);
    if (!best || need < best->first)
      best = {need, way};
  }
  return best ? std::optional(best->second) : std::nullopt;
}

} // namespace sinter
