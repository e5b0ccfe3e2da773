// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two estimates are asked: maps that lie over their inputs need less than both, but where one lies a bit below the
// other in a whole chain, these bits add up, and maps apart from each other can take less. Each trial costs the later
// half of the pipeline on a copy, which shares the constants.
#include "stripe_limits.h"

#include "memory/regions.h"

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
    if (auto bytes = function->getAttrOfType<IntegerAttr>("sinter.arena_bytes"))
      need.arena += bytes.getInt();
    if (auto work = function->getAttrOfType<FloatAttr>("sinter.stripe_work"))
      need.work = std::max(need.work, work.getValueAsDouble());
    for (const RamRegion &region : regionsOf(function))
      need.excess += std::max<int64_t>(0, region.bytes - region.limit);
  }
  return need;
}

/// A way to choose stripes, as attributes of the module.
struct Way {
  std::optional<int64_t> bytes; ///< the limit; none: what --fit balanced takes
  bool apart = false;           ///< the limit is for maps that do not overlap

  void set(ModuleOp module) const {
    if (bytes)
      module->setAttr("sinter.stripe_bytes", IntegerAttr::get(IntegerType::get(module.getContext(), 64), *bytes));
    else
      module->removeAttr("sinter.fit");
    if (apart)
      module->setAttr("sinter.maps_apart", UnitAttr::get(module.getContext()));
  }
};

} // namespace

void tryStripeLimits(ModuleOp module, llvm::function_ref<LogicalResult(ModuleOp)> plan) {
  auto fit = module->getAttrOfType<StringAttr>("sinter.fit");
  if (!fit || fit.getValue() != "ram" || module->hasAttr("sinter.stripe_bytes"))
    return;
  constexpr int64_t mostLimits = 4;
  std::vector<Way> ways = {{}};
  std::set<double> costs; // stripes that cost the same are the same
  for (bool apart : {false, true}) {
    OwningOpRef<ModuleOp> copy = module.clone();
    if (apart)
      (*copy)->setAttr("sinter.maps_apart", UnitAttr::get(module.getContext()));
    for (const StripeLimit &limit : limitsOfStripes(*copy, mostLimits))
      if (costs.insert(limit.cycles).second)
        ways.push_back({limit.bytes, apart});
  }
  if (ways.size() == 1)
    return; // there are no chains
  std::optional<std::pair<Need, Way>> best;
  ScopedDiagnosticHandler unheard(module.getContext(), [](Diagnostic &) { return success(); });
  for (const Way &way : ways) {
    OwningOpRef<ModuleOp> copy = module.clone();
    way.set(*copy);
    if (failed(plan(*copy)))
      continue;
    Need need = needOf(*copy);
    if (!best || need < best->first)
      best = {need, way};
  }
  if (best)
    best->second.set(module);
}

} // namespace sinter
