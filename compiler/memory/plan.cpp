// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass plan-memory: each memref.alloc becomes a place in the arena. Sizes are the most that any call needs
// (dim_bounds), buffers that are never needed together share bytes (liveness, pack), and an op or a loop writes over an
// input that ends with it where its order allows that (in_place, row_order, loop_order). With
// --ram the arena is regions, one behind the other (regions.h). check.cpp looks at the result.
#include "passes.h"

#include "accesses.h"
#include "aliases.h"
#include "in_place.h"
#include "ir/dim_bounds.h"
#include "liveness.h"
#include "loop_order.h"
#include "regions.h"
#include "row_order.h"

using namespace mlir;
using namespace sinter;

namespace {

int64_t elementBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBytes(complex.getElementType());
  if (isa<StringType>(element))
    return 16; // pointer and size
  return element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// Buffers that share one place: an op writes its output over an input that nobody reads afterwards.
class Places {
public:
  Places(Lifetimes &lifetimes, ArrayRef<int64_t> bytes, const Target &target, Threads threads)
      : lifetimes(lifetimes), bytes(bytes), target(target), threads(threads), slots(bytes.size()) {
    for (auto [slot, buffer, size] : llvm::zip(slots, lifetimes.buffers, bytes))
      slot = {static_cast<int64_t>(llvm::alignTo(size, target.alignment)), buffer.first, buffer.last};
    for (unsigned i = 0; i < slots.size(); ++i)
      leader.push_back(i);
  }

  /// Precondition: the op reads the input only where it then writes (readInPlace), both are whole buffers of equal
  /// size, the input's life ends here and the output's begins, and no other operand sees the input's memory.
  void shareInPlace(DestinationStyleOpInterface op) {
    int64_t here = lifetimes.position.lookup(op);
    for (OpOperand &init : op.getDpsInitsMutable()) {
      std::optional<unsigned> output = wholeBuffer(init);
      if (!output || slots[find(*output)].first != here)
        continue;
      SmallVector<OpOperand *> candidates = readInPlace(op, init);
      for (OpOperand *input : candidates) {
        std::optional<unsigned> owner = wholeBuffer(*input);
        if (owner && mayShare(op, *owner, *output, candidates)) {
          join(*owner, *output);
          break;
        }
      }
    }
  }

  /// The output of an op that goes through its rows may lie over the input that ends here. After all shareInPlace.
  void noteOverlap(DestinationStyleOpInterface op) {
    int64_t here = lifetimes.position.lookup(op);
    for (OpOperand *input : op.getDpsInputOperands()) {
      std::optional<unsigned> above = allOf(*input), below = allOf(*op.getDpsInitOperand(0));
      if (!above || !below)
        continue;
      unsigned from = find(*above), to = find(*below);
      if (from == to || slots[from].last != here || slots[to].first != here ||
          lifetimes.buffers[*above].space != lifetimes.buffers[*below].space || isSeenByOthers(op, *input, from))
        continue;
      if (std::optional<RowWalk> walk = rowWalkOf(op, *input, target, threads))
        overlaps.push_back({to, from, distanceOf(*walk), walk->grain});
    }
  }

  /// What a loop of stripes makes may lie over what it reads last. After all shareInPlace. A model's own loops carry
  /// states, whose buffers check.cpp does not tell apart iteration by iteration.
  void noteOverlaps(scf::ForOp loop) {
    if (!loop->hasAttr("sinter.stripes"))
      return;
    int64_t begin = lifetimes.position.lookup(loop), end = lifetimes.position.lookup(loop.getBody()->getTerminator());
    std::vector<unsigned> ending, beginning;
    for (unsigned i = 0; i < slots.size(); ++i)
      if (find(i) == i && lifetimes.buffers[i].written) {
        if (slots[i].first < begin && slots[i].last == end)
          ending.push_back(i);
        if (slots[i].first == begin)
          beginning.push_back(i);
      }
    if (ending.empty() || beginning.empty())
      return;
    std::optional<LoopAccesses> accesses = accessesOf(loop, lifetimes, bytes);
    if (!accesses)
      return;
    for (unsigned above : ending)
      for (unsigned below : beginning)
        if (lifetimes.buffers[above].space == lifetimes.buffers[below].space)
          if (std::optional<int64_t> distance =
                  distanceOf(ofGroup(*accesses, above), ofGroup(*accesses, below), slots[above].bytes))
            overlaps.push_back({below, above, *distance});
  }

  /// `accesses`: bytes read and written of each buffer. `regions`: of the arena; they get their sizes.
  void assign(ArrayRef<double> accesses, MutableArrayRef<RamRegion> regions) {
    std::map<MemorySpace, std::vector<unsigned>> bySpace;
    for (unsigned i = 0; i < slots.size(); ++i)
      if (lifetimes.buffers[i].written && find(i) == i)
        bySpace[lifetimes.buffers[i].space].push_back(i);
    if (!regions.empty())
      spread(bySpace, accesses, regions);
    for (auto &[space, members] : bySpace) {
      std::vector<Slot> packed = slotsOf(members);
      std::vector<Overlap> inside = overlapsAmong(members, overlaps);
      arenaBytes[space] = pack(packed, inside, target.alignment);
      liveBytes[space] = largestLiveSum(packed, inside);
      for (auto [i, slot] : llvm::zip(members, packed)) {
        slots[i].offset = slot.offset;
        lifetimes.buffers[i].space = space;
      }
    }
    for (unsigned i = 0; i < slots.size(); ++i)
      if (Lifetime &buffer = lifetimes.buffers[i]; !buffer.written) { // its sizes count, its contents do not
        buffer.space = regions.empty() ? buffer.space : static_cast<MemorySpace>(regions.size() - 1);
        arenaBytes[buffer.space] = std::max(arenaBytes[buffer.space], slots[i].bytes); // it may lie over others
      }
    placeRegions(regions);
  }

  int64_t offset(unsigned buffer) {
    MemorySpace space = lifetimes.buffers[find(buffer)].space;
    return begins[space] + slots[find(buffer)].offset;
  }
  std::map<MemorySpace, int64_t> arenaBytes, liveBytes;

private:
  std::vector<Slot> slotsOf(ArrayRef<unsigned> members) const {
    std::vector<Slot> these;
    for (unsigned i : members)
      these.push_back(slots[i]);
    return these;
  }

  /// Makes a space of each region, out of Main.
  void spread(std::map<MemorySpace, std::vector<unsigned>> &bySpace, ArrayRef<double> accesses,
              ArrayRef<RamRegion> regions) {
    std::vector<unsigned> members = std::move(bySpace[MemorySpace::Main]);
    std::vector<double> sums(slots.size()), heat;
    for (unsigned i = 0; i < slots.size(); ++i)
      sums[find(i)] += accesses[i];
    for (unsigned i : members)
      heat.push_back(sums[i] / static_cast<double>(std::max<int64_t>(slots[i].bytes, 1)));
    bySpace.clear();
    for (auto [number, region] : llvm::enumerate(
             chooseRegions(slotsOf(members), overlapsAmong(members, overlaps), heat, regions, target.alignment)))
      for (unsigned i : region)
        bySpace[static_cast<MemorySpace>(number)].push_back(members[i]);
  }

  /// One behind the other, which is where they lie if the caller has one block of memory.
  void placeRegions(MutableArrayRef<RamRegion> regions) {
    int64_t end = 0, live = 0;
    for (auto [number, region] : llvm::enumerate(regions)) {
      auto space = static_cast<MemorySpace>(number);
      region.begin = begins[space] = end;
      region.bytes = arenaBytes[space];
      end += region.bytes;
      live += liveBytes[space];
    }
    if (!regions.empty()) {
      arenaBytes[MemorySpace::Main] = end;
      liveBytes[MemorySpace::Main] = live;
    }
  }

  /// The buffer that the operand is, if it is one allocation and all of it.
  std::optional<unsigned> wholeBuffer(OpOperand &operand) {
    auto it = lifetimes.owners.find(operand.get());
    if (it == lifetimes.owners.end() || it->second.size() != 1 ||
        lifetimes.buffers[it->second.front()].alloc.getResult() != operand.get())
      return std::nullopt;
    return it->second.front();
  }

  /// The buffer that the operand is all of, from its first byte on, perhaps in another shape.
  std::optional<unsigned> allOf(OpOperand &operand) {
    auto it = lifetimes.owners.find(operand.get());
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (it == lifetimes.owners.end() || it->second.size() != 1 || !type || !type.hasStaticShape() ||
        !type.getLayout().isIdentity() ||
        type.getNumElements() * elementBytes(type.getElementType()) != bytes[it->second.front()])
      return std::nullopt;
    return it->second.front();
  }

  bool isSeenByOthers(Operation *op, OpOperand &operand, unsigned group) {
    return llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
      auto it = lifetimes.owners.find(other.get());
      return &other != &operand && it != lifetimes.owners.end() &&
             llvm::any_of(it->second, [&](unsigned each) { return find(each) == group; });
    });
  }

  std::vector<LoopAccess> ofGroup(const LoopAccesses &accesses, unsigned group) {
    std::vector<LoopAccess> all;
    for (const auto &[buffer, own] : accesses)
      if (find(buffer) == group)
        all.insert(all.end(), own.begin(), own.end());
    llvm::sort(all);
    return all;
  }

  bool mayShare(Operation *op, unsigned owner, unsigned output, ArrayRef<OpOperand *> readInPlace) {
    unsigned from = find(owner), to = find(output);
    auto inputType = lifetimes.buffers[owner].alloc.getType(), outputType = lifetimes.buffers[output].alloc.getType();
    if (from == to || lifetimes.buffers[owner].space != lifetimes.buffers[output].space ||
        bytes[owner] != bytes[output] || slots[from].last != slots[to].first ||
        elementBytes(inputType.getElementType()) != elementBytes(outputType.getElementType()))
      return false;
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &other) {
      auto it = lifetimes.owners.find(other.get());
      return it == lifetimes.owners.end() || llvm::is_contained(readInPlace, &other) ||
             llvm::none_of(it->second, [&](unsigned each) { return find(each) == from; });
    });
  }

  unsigned find(unsigned buffer) {
    while (leader[buffer] != buffer)
      buffer = leader[buffer] = leader[leader[buffer]];
    return buffer;
  }

  void join(unsigned a, unsigned b) {
    unsigned from = find(b), to = find(a);
    leader[from] = to;
    slots[to].first = std::min(slots[to].first, slots[from].first);
    slots[to].last = std::max(slots[to].last, slots[from].last);
  }

  Lifetimes &lifetimes;
  ArrayRef<int64_t> bytes;
  const Target &target;
  Threads threads;
  std::map<MemorySpace, int64_t> begins;
  std::vector<Overlap> overlaps; ///< by the leaders of groups
  std::vector<Slot> slots;
  std::vector<unsigned> leader;
};

/// The ABI's description of an input or output says where in the arena it lies.
void describePlace(func::FuncOp function, StringRef list, int64_t index, int64_t offset) {
  Builder builder(function.getContext());
  SmallVector<Attribute> tensors(function->getAttrOfType<ArrayAttr>(list).getValue());
  NamedAttrList description(cast<DictionaryAttr>(tensors[index]));
  description.set("arena_offset", builder.getI64IntegerAttr(offset));
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

LogicalResult plan(func::FuncOp function, const Target &target, Threads threads) {
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

  Places places(lifetimes, bytes, target, threads);
  function.walk([&](DestinationStyleOpInterface op) { places.shareInPlace(op); });
  function.walk([&](DestinationStyleOpInterface op) { places.noteOverlap(op); });
  function.walk([&](scf::ForOp loop) { places.noteOverlaps(loop); });
  std::vector<RamRegion> regions = regionsOf(function->getParentOfType<ModuleOp>());
  std::vector<double> accesses = regions.empty() ? std::vector<double>() : bytesAccessed(lifetimes);
  places.assign(accesses, regions);

  OpBuilder builder(function);
  for (auto [i, buffer] : llvm::enumerate(lifetimes.buffers)) {
    builder.setInsertionPoint(buffer.alloc);
    auto arena = builder.create<ArenaOp>(buffer.alloc.getLoc(), buffer.alloc.getType(), places.offset(i), bytes[i],
                                         buffer.alloc.getDynamicSizes());
    if (!accesses.empty())
      arena->setAttr("sinter.accesses", builder.getI64IntegerAttr(static_cast<int64_t>(accesses[i])));
    for (StringRef list : {"sinter.input", "sinter.output"})
      if (auto index = buffer.alloc->getAttrOfType<IntegerAttr>(list)) {
        arena->setAttr(list, index);
        describePlace(function, (list + "s").str(), index.getInt(), places.offset(i));
      }
    buffer.alloc.replaceAllUsesWith(arena.getResult());
    buffer.alloc.erase();
  }
  function->setAttr("sinter.arena_bytes", builder.getI64IntegerAttr(places.arenaBytes[MemorySpace::Main]));
  function->setAttr("sinter.live_bytes", builder.getI64IntegerAttr(places.liveBytes[MemorySpace::Main]));
  if (!regions.empty())
    setRegions(function, regions);
  return success();
}

} // namespace

LogicalResult sinter::planMemory(ModuleOp module, const Target &target, Threads threads) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(plan(function, target, threads)))
      return failure();
  return success();
}
