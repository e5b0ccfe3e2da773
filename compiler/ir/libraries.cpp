// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries.h"

#include <set>

using namespace mlir;

namespace sinter {

constexpr llvm::StringLiteral attributeName = "sinter.libraries";

void setLibraries(KernelOp call, ArrayRef<StringRef> libraries) {
  call->setAttr(attributeName, Builder(call->getContext()).getStrArrayAttr(libraries));
}

SmallVector<StringRef> librariesOf(Operation *op) {
  SmallVector<StringRef> names;
  if (auto all = op->getAttrOfType<ArrayAttr>(attributeName))
    for (auto name : all.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  return names;
}

std::vector<std::string> librariesIn(ModuleOp module) {
  std::set<std::string> names;
  module.walk([&](KernelOp call) {
    for (StringRef name : librariesOf(call))
      names.insert(name.str());
  });
  return {names.begin(), names.end()};
}

} // namespace sinter
