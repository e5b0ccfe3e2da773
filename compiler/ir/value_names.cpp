// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A note is a name location inside of the node's: loc("node"("=ORDER:RESULT:LAYOUT:VALUE")).
#include "value_names.h"

#include "dialect.h"

using namespace mlir;

namespace sinter {
namespace {

std::optional<ValueName> noteIn(NameLoc location) {
  StringRef text = location.getName();
  ValueName value;
  if (!text.consume_front("=") || text.consumeInteger(10, value.order) || !text.consume_front(":") ||
      text.consumeInteger(10, value.result) || !text.consume_front(":"))
    return std::nullopt;
  auto [layout, name] = text.split(':');
  value.layout = ValueLayout::parse(layout).value_or(ValueLayout());
  value.name = name.str();
  return value;
}

StringAttr nameText(const ValueName &value, MLIRContext *context) {
  return StringAttr::get(context, "=" + std::to_string(value.order) + ":" + std::to_string(value.result) + ":" +
                                      value.layout.text() + ":" + value.name);
}

using ChangeNote = llvm::function_ref<std::optional<ValueName>(ValueName)>;

Location withNotesInside(Location child, ChangeNote change) {
  auto named = dyn_cast<NameLoc>(child);
  if (!named)
    return child;
  Location rest = withNotesInside(named.getChildLoc(), change);
  std::optional<ValueName> note = noteIn(named);
  std::optional<ValueName> changed = note ? change(*note) : std::nullopt;
  if (note && !changed)
    return rest;
  return NameLoc::get(note ? nameText(*changed, named.getContext()) : named.getName(), rest);
}

/// `location` with what `change` makes of each note: another one, or none.
Location withNotes(Location location, ChangeNote change) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    SmallVector<Location> parts;
    for (Location part : fused.getLocations())
      parts.push_back(withNotes(part, change));
    return FusedLoc::get(parts, fused.getMetadata(), fused.getContext());
  }
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return CallSiteLoc::get(withNotes(call.getCallee(), change), call.getCaller());
  if (auto named = dyn_cast<NameLoc>(location))
    return NameLoc::get(named.getName(), withNotesInside(named.getChildLoc(), change));
  return location;
}

} // namespace

/// Of what stands for several nodes the last is the one whose value it leaves.
static NameLoc nodeIn(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  return fused ? nodeIn(fused.getLocations().back()) : dyn_cast<NameLoc>(location);
}

static Location withNode(Location location, NameLoc node) {
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused)
    return node;
  SmallVector<Location> parts(fused.getLocations());
  parts.back() = withNode(parts.back(), node);
  return FusedLoc::get(parts, fused.getMetadata(), fused.getContext());
}

void nameValue(Value value, NodeOp node, unsigned output, int64_t order) {
  Operation *op = value.getDefiningOp();
  NameLoc place = op ? nodeIn(op->getLoc()) : NameLoc(), own = nodeIn(node.getLoc());
  auto names = node.getOutputNames();
  if (!place || !own || !names || output >= names->size() || op->getBlock() == nullptr)
    return;
  StringRef name = cast<StringAttr>((*names)[output]).getValue();
  std::vector<ValueName> known = valueNamesIn(place);
  unsigned result = cast<OpResult>(value).getResultNumber();
  bool isOfThisNode = llvm::all_of(known, [&](const ValueName &other) { return other.result != result; }) &&
                      place.getName() == own.getName();
  if (name.empty() || !isOfThisNode)
    return;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  ValueLayout layout = type ? ValueLayout::plain(static_cast<unsigned>(type.getRank())) : ValueLayout();
  Location child =
      NameLoc::get(nameText({order, result, layout, name.str(), ""}, op->getContext()), place.getChildLoc());
  op->setLoc(withNode(op->getLoc(), NameLoc::get(place.getName(), child)));
}

static void collect(Location location, std::vector<ValueName> &names) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collect(part, names);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collect(call.getCallee(), names);
  } else if (auto name = dyn_cast<NameLoc>(location)) {
    for (auto child = dyn_cast<NameLoc>(name.getChildLoc()); child; child = dyn_cast<NameLoc>(child.getChildLoc()))
      if (std::optional<ValueName> value = noteIn(child)) {
        value->node = name.getName().str();
        names.push_back(std::move(*value));
      }
  }
}

std::vector<ValueName> valueNamesIn(Location location) {
  std::vector<ValueName> names;
  collect(location, names);
  return names;
}

/// The notes of a result say that it lies in another way.
static void changeLayout(Value result, llvm::function_ref<ValueLayout(const ValueLayout &)> change) {
  auto made = dyn_cast<OpResult>(result);
  if (!made)
    return;
  made.getOwner()->setLoc(withNotes(made.getOwner()->getLoc(), [&](ValueName note) {
    if (note.result == made.getResultNumber())
      note.layout = change(note.layout);
    return std::optional(note);
  }));
}

void noteBlocks(Value result, unsigned axis, int64_t block) {
  // [.., c/b, .., b]: one block of all channels has an outer part of one element.
  bool isWhole = cast<RankedTensorType>(result.getType()).getDimSize(axis) == 1;
  changeLayout(result, [&](const ValueLayout &layout) { return layout.blocked(axis, block, isWhole); });
}

void noteFlippedBytes(Value result) {
  changeLayout(result, [](const ValueLayout &layout) { return layout.flipped(); });
}

Location fusedLocation(Location maker, Location reader) {
  return FusedLoc::get(reader.getContext(), {withoutValueNames(maker), reader});
}

Location withoutValueNames(Location location) {
  return withNotes(location, [](const ValueName &) { return std::optional<ValueName>(); });
}

} // namespace sinter
