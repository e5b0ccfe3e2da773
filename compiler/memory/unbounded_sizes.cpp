// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at buffer IR with the same bounds as the planner.
#include "unbounded_sizes.h"

#include "ir/dim_bounds.h"

#include "ir/value_names.h"

#include <set>

using namespace mlir;

namespace sinter {

static std::string nodeNameOf(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string node = nodeNameOf(part); !node.empty())
        return node;
  return "";
}

void reportUnboundedSizes(ModuleOp module, Diagnostics &diagnostics) {
  DimBounds bounds;
  std::set<std::string> reported;
  module.walk([&](Operation *op) {
    if (!isa<memref::AllocOp, OutputOp>(op) || bounds.maxElements(op->getResult(0)))
      return;
    std::string node = nodeNameOf(op->getLoc());
    if (!reported.insert(node).second)
      return;
    std::vector<ValueName> values = valueNamesIn(op->getLoc());
    unsigned output = values.empty() ? 0 : values.front().result;
    ModelPlace place;
    place.node = node;
    diagnostics.report({Code::SizeWithoutBound,
                        "the size of output " + std::to_string(output) + " depends on run-time data and has no bound",
                        place, "--bound " + node + ":" + std::to_string(output) + "=N"});
  });
}

} // namespace sinter
