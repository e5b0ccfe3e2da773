// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A note is a name location inside of the node's: loc("node"("=ORDER:RESULT:VALUE")).
#include "value_names.h"

#include "dialect.h"

using namespace mlir;

namespace sinter {

void nameValue(Value value, NodeOp node, unsigned output, int64_t order) {
  Operation *op = value.getDefiningOp();
  auto names = node.getOutputNames();
  auto place = op ? dyn_cast<NameLoc>(op->getLoc()) : NameLoc();
  if (!place || !names || output >= names->size() || op->getBlock() == nullptr)
    return;
  StringRef name = cast<StringAttr>((*names)[output]).getValue();
  std::vector<ValueName> known = valueNamesIn(place);
  unsigned result = cast<OpResult>(value).getResultNumber();
  bool isOfThisNode = llvm::all_of(known, [&](const ValueName &other) { return other.result != result; }) &&
                      place.getName() == cast<NameLoc>(node.getLoc()).getName();
  if (name.empty() || !isOfThisNode)
    return;
  std::string note = "=" + std::to_string(order) + ":" + std::to_string(result) + ":" + name.str();
  Location child = NameLoc::get(StringAttr::get(op->getContext(), note), place.getChildLoc());
  op->setLoc(NameLoc::get(place.getName(), child));
}

static void collect(Location location, std::vector<ValueName> &names) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collect(part, names);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collect(call.getCallee(), names);
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    for (auto note = dyn_cast<NameLoc>(name.getChildLoc()); note; note = dyn_cast<NameLoc>(note.getChildLoc())) {
      StringRef text = note.getName();
      ValueName value;
      if (text.consume_front("=") && !text.consumeInteger(10, value.order) && text.consume_front(":") &&
          !text.consumeInteger(10, value.result) && text.consume_front(":")) {
        value.name = text.str();
        value.node = name.getName().str();
        names.push_back(std::move(value));
      }
    }
  }
}

std::vector<ValueName> valueNamesIn(Location location) {
  std::vector<ValueName> names;
  collect(location, names);
  return names;
}

} // namespace sinter
