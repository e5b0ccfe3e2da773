// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass plan-memory: each memref.alloc becomes a place in an arena of its memory space. Sizes are the most that any
// call needs (dim_bounds), buffers that are never needed together share bytes (liveness, pack), and an op or a loop
// writes over an input that ends with it where its order allows that (in_place, row_order, loop_order). A space may
// have several arenas, regions (--ram): the buffers' types say which one they have got. check.cpp looks at the result.
#include "passes.h"

#include "accesses.h"
#include "aliases.h"
#include "ir/dim_bounds.h"
#include "move_to_space.h"
#include "places.h"

using namespace mlir;
using namespace sinter;

namespace {

/// The ABI's description of an input or output says where it lies: the offset in its arena, and which that is.
void describePlace(func::FuncOp function, StringRef list, int64_t index, ArenaOp place) {
  Builder builder(function.getContext());
  SmallVector<Attribute> tensors(function->getAttrOfType<ArrayAttr>(list).getValue());
  NamedAttrList description(cast<DictionaryAttr>(tensors[index]));
  description.set("arena_offset", builder.getI64IntegerAttr(static_cast<int64_t>(place.getOffset())));
  if (Attribute space = cast<MemRefType>(place.getType()).getMemorySpace())
    description.set("arena_space", space);
  tensors[index] = description.getDictionary(builder.getContext());
  function->setAttr(list, builder.getArrayAttr(tensors));
}

/// Bytes read and written of each buffer in one call.
std::vector<double> bytesAccessed(const Lifetimes &lifetimes) {
  std::vector<double> accesses;
  Work work;
  for (Lifetime buffer : lifetimes.buffers) {
    double &bytes = accesses.emplace_back(0);
    forEachTouch(Value(buffer.alloc.getResult()), [&](OpOperand &use) { bytes += accessedBytes(use, work); });
  }
  return accesses;
}

/// An arena for each space and region that allocations state: those that the module states, and of each other space
/// one without a limit.
FailureOr<std::vector<Arena>> arenasFor(func::FuncOp function) {
  std::vector<Arena> arenas = arenasOf(function->getParentOfType<ModuleOp>());
  WalkResult all = function.walk([&](memref::AllocOp alloc) -> WalkResult {
    Attribute stated = alloc.getType().getMemorySpace();
    if (stated && !isa<SpaceAttr>(stated))
      return alloc.emitError("a buffer lies in a memory space other than #sinter.space");
    SpaceAttr space = spaceOf(alloc.getType());
    if (findArena(arenas, space))
      return WalkResult::advance();
    if (space.getRegion())
      return alloc.emitError("no arena is the region ") << space;
    arenas.emplace_back().space = space.getKind();
    return WalkResult::advance();
  });
  if (all.wasInterrupted())
    return failure();
  return arenas;
}

LogicalResult plan(func::FuncOp function, const Target &target, Threads threads) {
  FailureOr<std::vector<Arena>> arenas = arenasFor(function);
  if (failed(arenas))
    return failure();
  bool hasRegions = llvm::any_of(*arenas, [](const Arena &arena) { return !arena.name.empty(); });
  Lifetimes lifetimes(function);
  DimBounds bounds;
  std::vector<int64_t> bytes;
  for (Lifetime &buffer : lifetimes.buffers) {
    std::optional<int64_t> elements = bounds.maxElements(buffer.alloc);
    int64_t size;
    if (!elements || llvm::MulOverflow(*elements, elementBytes(buffer.alloc.getType().getElementType()), size) ||
        size > INT64_MAX / 4)
      return buffer.alloc.emitError("a buffer has no bound on its size");
    bytes.push_back(size);
  }

  Places places(lifetimes, bytes, std::move(*arenas), target, threads);
  function.walk([&](DestinationStyleOpInterface op) { places.shareInPlace(op); });
  function.walk([&](DestinationStyleOpInterface op) { places.noteOverlap(op); });
  function.walk([&](scf::ForOp loop) { places.noteOverlaps(loop); });
  std::vector<double> accesses = hasRegions ? bytesAccessed(lifetimes) : std::vector<double>();
  places.assign(accesses);

  OpBuilder builder(function);
  for (auto [i, buffer] : llvm::enumerate(lifetimes.buffers)) {
    builder.setInsertionPoint(buffer.alloc);
    auto arena = builder.create<ArenaOp>(buffer.alloc.getLoc(), buffer.alloc.getType(), places.offset(i), bytes[i],
                                         buffer.alloc.getDynamicSizes());
    if (hasRegions)
      arena->setAttr("sinter.accesses", builder.getI64IntegerAttr(static_cast<int64_t>(accesses[i])));
    if (Attribute text = buffer.alloc->getAttr("sinter.text"))
      arena->setAttr("sinter.text", text);
    buffer.alloc.replaceAllUsesWith(arena.getResult());
    SpaceAttr space = spaceOf(places.arenas, places.arenaOf(i), function.getContext());
    if (space != buffer.space && !buffer.space.getRegion())
      moveToSpace(arena.getResult(), space);
    for (StringRef list : {"sinter.input", "sinter.output"})
      if (auto index = buffer.alloc->getAttrOfType<IntegerAttr>(list)) {
        arena->setAttr(list, index);
        describePlace(function, (list + "s").str(), index.getInt(), arena);
      }
    buffer.alloc.erase();
  }
  int64_t hostBytes = 0;
  for (const Arena &arena : places.arenas)
    hostBytes += arena.space == MemoryKind::Host ? arena.bytes : 0;
  function->setAttr("sinter.arena_bytes", builder.getI64IntegerAttr(hostBytes));
  function->setAttr("sinter.live_bytes", builder.getI64IntegerAttr(places.hostLiveBytes));
  if (hasRegions || places.arenas.size() > 1)
    setArenas(function, places.arenas);
  return success();
}

} // namespace

LogicalResult sinter::planMemory(ModuleOp module, const Target &target, Threads threads) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(plan(function, target, threads)))
      return failure();
  return success();
}
