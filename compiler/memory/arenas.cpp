// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arenas.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sinter {

std::vector<Arena> arenasOf(Operation *op) {
  std::vector<Arena> arenas;
  auto number = [](DictionaryAttr entry, StringRef name, int64_t otherwise) {
    auto attribute = entry.getAs<IntegerAttr>(name);
    return attribute ? attribute.getInt() : otherwise;
  };
  if (auto stated = op->getAttrOfType<ArrayAttr>("sinter.arenas"))
    for (auto entry : stated.getAsRange<DictionaryAttr>()) {
      auto space = entry.getAs<SpaceAttr>("space");
      arenas.push_back({space.getKind(), space.getRegion() ? space.getRegion().str() : "",
                        number(entry, "limit", INT64_MAX), number(entry, "alignment", 0), number(entry, "begin", 0),
                        number(entry, "bytes", 0), number(entry, "needed", 0)});
    }
  if (llvm::none_of(arenas, [](const Arena &arena) { return arena.space == MemoryKind::Host; })) {
    Arena host;
    if (auto bytes = op->getAttrOfType<IntegerAttr>("sinter.arena_bytes"))
      host.bytes = bytes.getInt();
    arenas.insert(arenas.begin(), std::move(host));
  }
  return arenas;
}

void setArenas(Operation *op, ArrayRef<Arena> arenas) {
  Builder builder(op->getContext());
  SmallVector<Attribute> entries;
  for (const Arena &arena : arenas) {
    NamedAttrList entry;
    auto set = [&](StringRef name, int64_t value, int64_t otherwise) {
      if (value != otherwise)
        entry.set(name, builder.getI64IntegerAttr(value));
    };
    entry.set("space", SpaceAttr::get(op->getContext(), arena.space,
                                      arena.name.empty() ? StringAttr() : builder.getStringAttr(arena.name)));
    set("limit", arena.limit, INT64_MAX);
    set("alignment", arena.alignment, 0);
    set("begin", arena.begin, 0);
    set("bytes", arena.bytes, 0);
    set("needed", arena.needed, 0);
    entries.push_back(entry.getDictionary(op->getContext()));
  }
  op->setAttr("sinter.arenas", builder.getArrayAttr(entries));
}

std::optional<unsigned> findArena(ArrayRef<Arena> arenas, SpaceAttr space) {
  for (auto [number, arena] : llvm::enumerate(arenas))
    if (arena.space == space.getKind() && (!space.getRegion() || space.getRegion().getValue() == arena.name))
      return number;
  return std::nullopt;
}

SpaceAttr spaceOf(ArrayRef<Arena> arenas, unsigned number, MLIRContext *context) {
  const Arena &arena = arenas[number];
  auto plain = SpaceAttr::get(context, arena.space, StringAttr());
  return findArena(arenas, plain) == number
             ? plain
             : SpaceAttr::get(context, arena.space, StringAttr::get(context, arena.name));
}

} // namespace sinter
