// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace mlir;

namespace sinter {

std::string lineOfName(StringRef name) {
  std::string text = name.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

static void collect(Location location, std::vector<std::string> &names) {
  if (auto name = dyn_cast<NameLoc>(location)) {
    std::string text = lineOfName(name.getName());
    if (!llvm::is_contained(names, text))
      names.push_back(text);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collect(part, names);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collect(call.getCallee(), names);
  }
}

std::string nodeNames(Location location) {
  std::vector<std::string> names;
  collect(location, names);
  return llvm::join(names, "\n");
}

} // namespace sinter
