// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/missing_libraries.h"

#include "ir/libraries.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;

namespace sinter {

bool reportMissingLibraries(ModuleOp planned, const Target &target, Diagnostics &diagnostics) {
  std::set<std::string> told;
  if (!target.isMicrocontroller() && !target.isWebAssembly())
    return false;
  planned.walk([&](KernelOp call) {
    SmallVector<StringRef> libraries = librariesOf(call);
    auto node = call->getLoc()->findInstanceOf<NameLoc>();
    ModelPlace place;
    if (node)
      place.node = node.getName().str();
    if (libraries.empty() || !told.insert(place.node).second)
      return;
    diagnostics.report({Code::UnsupportedOperator,
                        "the node calls libraries (" + llvm::join(libraries, ", ") + "), and " + target.name +
                            " has no operating system to bring them",
                        place,
                        "name a target with one, or export the model without this node and call it with what the "
                        "node makes"});
  });
  return !told.empty();
}

} // namespace sinter
