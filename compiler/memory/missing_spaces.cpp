// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "missing_spaces.h"

#include "arenas.h"
#include "dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {

static bool hasSpace(const Target &target, MemoryKind space) {
  switch (target.kind) {
  case TargetKind::Cpu:
  case TargetKind::Microcontroller:
  case TargetKind::WebAssembly:
    return space == MemoryKind::Host;
  case TargetKind::Gpu: // where a type without an attribute means the device's memory
    return space == MemoryKind::Host || space == MemoryKind::Shared;
  }
  llvm_unreachable("all kinds are listed");
}

bool reportMissingSpaces(ModuleOp planned, const Target &target, Diagnostics &diagnostics) {
  bool isMissing = false;
  llvm::DenseSet<Attribute> looked;
  planned.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (!isa<BaseMemRefType>(type))
        continue;
      SpaceAttr space = spaceOf(type);
      if (!looked.insert(space).second) // one report of each
        continue;
      std::string name = stringifyMemoryKind(space.getKind()).str();
      ModelPlace place;
      if (auto node = op->getLoc()->findInstanceOf<NameLoc>())
        place.node = node.getName().str();
      auto function = op->getParentOfType<func::FuncOp>();
      if (!hasSpace(target, space.getKind()))
        diagnostics.report({Code::MissingSpace,
                            "a buffer lies in the memory space " + name + ", which " + target.name + " does not have",
                            place, "name a target with such memory, or place the buffer in the host's"});
      else if (function && !findArena(arenasOf(function), space))
        diagnostics.report({Code::MissingSpace,
                            "a buffer lies in the region " + space.getRegion().str() + " of the memory space " + name +
                                ", which the plan does not have",
                            place, "--ram states the regions"});
      else
        continue;
      isMissing = true;
    }
  });
  return isMissing;
}

} // namespace sinter
