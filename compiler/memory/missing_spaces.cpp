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
  case TargetKind::Gpu: // whose buffers are all the device's, and bear no attribute
    return space == MemoryKind::Host;
  }
  llvm_unreachable("all kinds are listed");
}

/// Strings are pointers to the host's memory.
static bool reportStrings(ModuleOp planned, const Target &target, Diagnostics &diagnostics) {
  WalkResult found = planned.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto memory = dyn_cast<BaseMemRefType>(type);
      if (!memory || !isa<StringType>(memory.getElementType()))
        continue;
      ModelPlace place;
      if (auto node = op->getLoc()->findInstanceOf<NameLoc>())
        place.node = node.getName().str();
      diagnostics.report({Code::StringsOnGpu, "a tensor of strings cannot lie in the memory of " + target.name, place,
                          "cut what works on strings off the model, and compile that part for the CPU"});
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Custom operators are functions of the host.
static bool reportCustomOperators(ModuleOp planned, const Target &target, Diagnostics &diagnostics) {
  WalkResult found = planned.walk([&](KernelOp kernel) {
    if (!kernel.getHeader())
      return WalkResult::advance();
    ModelPlace place;
    if (auto node = kernel.getLoc()->findInstanceOf<NameLoc>())
      place.node = node.getName().str();
    diagnostics.report({Code::CustomOnGpu,
                        ("the function " + kernel.getKernel().drop_front(2) + " of " + *kernel.getHeader() +
                         " cannot be called on " + target.name)
                            .str(),
                        place, "compile for the CPU, or cut the model there and call the function between its parts"});
    return WalkResult::interrupt();
  });
  return found.wasInterrupted();
}

bool reportMissingSpaces(ModuleOp planned, const Target &target, Diagnostics &diagnostics) {
  bool isMissing = target.isGpu() && reportStrings(planned, target, diagnostics);
  isMissing |= target.isGpu() && reportCustomOperators(planned, target, diagnostics);
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
