// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "places.h"

#include "in_place.h"
#include "loop_order.h"
#include "regions.h"
#include "row_order.h"

using namespace mlir;

namespace sinter {

int64_t elementBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBytes(complex.getElementType());
  if (isa<StringType>(element))
    return 16; // pointer and size
  return element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

Places::Places(const Lifetimes &lifetimes, ArrayRef<int64_t> bytes, std::vector<Arena> given, const Target &target,
               Threads threads)
    : arenas(std::move(given)), lifetimes(lifetimes), bytes(bytes), target(target), threads(threads),
      slots(bytes.size()), chosen(bytes.size()) {
  for (auto [slot, buffer, size] : llvm::zip(slots, lifetimes.buffers, bytes))
    slot = {static_cast<int64_t>(llvm::alignTo(size, alignmentOf(buffer))), buffer.first, buffer.last};
  for (unsigned i = 0; i < slots.size(); ++i)
    leader.push_back(i);
}

int64_t Places::alignmentOf(const Lifetime &buffer) const {
  int64_t alignment = 1;
  for (const Arena &arena : arenas)
    if (arena.space == buffer.space.getKind())
      alignment = std::max(alignment, alignmentOf(arena));
  return alignment;
}

//===--- who may share bytes ---===//

void Places::shareInPlace(DestinationStyleOpInterface op) {
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

void Places::noteOverlap(DestinationStyleOpInterface op) {
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

void Places::noteOverlaps(scf::ForOp loop) {
  if (!loop->hasAttr("sinter.row_tiles"))
    return;
  int64_t begin = lifetimes.position.lookup(loop), end = lifetimes.position.lookup(loop.getBody()->getTerminator());
  std::vector<unsigned> ending, beginning;
  for (unsigned i = 0; i < slots.size(); ++i)
    if (isLeader(i) && lifetimes.buffers[i].written) {
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
  auto ofGroup = [&](unsigned group) {
    std::vector<LoopAccess> all;
    for (const auto &[buffer, own] : *accesses)
      if (find(buffer) == group)
        all.insert(all.end(), own.begin(), own.end());
    llvm::sort(all);
    return all;
  };
  for (unsigned above : ending)
    for (unsigned below : beginning)
      if (lifetimes.buffers[above].space == lifetimes.buffers[below].space)
        if (std::optional<int64_t> distance = distanceOf(ofGroup(above), ofGroup(below), slots[above].bytes))
          overlaps.push_back({below, above, *distance});
}

/// The buffer that the operand is, if it is one allocation and all of it.
std::optional<unsigned> Places::wholeBuffer(OpOperand &operand) {
  auto it = lifetimes.owners.find(operand.get());
  if (it == lifetimes.owners.end() || it->second.size() != 1 ||
      lifetimes.buffers[it->second.front()].alloc->getResult(0) != operand.get())
    return std::nullopt;
  return it->second.front();
}

/// The buffer that the operand is all of, from its first byte on, perhaps in another shape.
std::optional<unsigned> Places::allOf(OpOperand &operand) {
  auto it = lifetimes.owners.find(operand.get());
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (it == lifetimes.owners.end() || it->second.size() != 1 || !type || !type.hasStaticShape() ||
      !type.getLayout().isIdentity() ||
      type.getNumElements() * elementBytes(type.getElementType()) != bytes[it->second.front()])
    return std::nullopt;
  return it->second.front();
}

bool Places::isSeenByOthers(Operation *op, OpOperand &operand, unsigned group) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
    auto it = lifetimes.owners.find(other.get());
    return &other != &operand && it != lifetimes.owners.end() &&
           llvm::any_of(it->second, [&](unsigned each) { return find(each) == group; });
  });
}

bool Places::mayShare(Operation *op, unsigned owner, unsigned output, ArrayRef<OpOperand *> readInPlace) {
  unsigned from = find(owner), to = find(output);
  auto elementOf = [&](unsigned buffer) {
    return elementBytes(cast<MemRefType>(lifetimes.buffers[buffer].alloc->getResult(0).getType()).getElementType());
  };
  if (!lifetimes.buffers[owner].written) // it lies over others
    return false;
  if (from == to || lifetimes.buffers[owner].space != lifetimes.buffers[output].space ||
      bytes[owner] != bytes[output] || slots[from].last != slots[to].first || elementOf(owner) != elementOf(output))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &other) {
    auto it = lifetimes.owners.find(other.get());
    return it == lifetimes.owners.end() || llvm::is_contained(readInPlace, &other) ||
           llvm::none_of(it->second, [&](unsigned each) { return find(each) == from; });
  });
}

unsigned Places::find(unsigned buffer) {
  while (leader[buffer] != buffer)
    buffer = leader[buffer] = leader[leader[buffer]];
  return buffer;
}

void Places::join(unsigned a, unsigned b) {
  unsigned from = find(b), to = find(a);
  leader[from] = to;
  slots[to].first = std::min(slots[to].first, slots[from].first);
  slots[to].last = std::max(slots[to].last, slots[from].last);
}

//===--- where they lie ---===//

void Places::assign(ArrayRef<double> accesses) {
  std::vector<std::vector<unsigned>> members(arenas.size());
  for (MemoryKind space : {MemoryKind::Host, MemoryKind::Device, MemoryKind::Shared})
    spread(space, accesses, members);
  for (auto [number, arena] : llvm::enumerate(arenas)) {
    std::vector<Slot> packed = slotsOf(members[number]);
    std::vector<Overlap> inside = overlapsAmong(members[number], overlaps);
    arena.bytes = pack(packed, inside, alignmentOf(arena));
    if (arena.space == MemoryKind::Host)
      hostLiveBytes += largestLiveSum(packed, inside);
    for (auto [i, slot] : llvm::zip(members[number], packed)) {
      slots[i].offset = slot.offset;
      chosen[i] = number;
    }
  }
  placeUnwritten();
  stackArenas();
}

std::vector<Slot> Places::slotsOf(ArrayRef<unsigned> members) const {
  std::vector<Slot> these;
  for (unsigned i : members)
    these.push_back(slots[i]);
  return these;
}

void Places::spread(MemoryKind space, ArrayRef<double> accesses, std::vector<std::vector<unsigned>> &members) {
  std::vector<unsigned> numbers, buffers; // of the space's arenas; of the groups that live in them
  std::vector<Arena> regions;
  for (auto [number, arena] : llvm::enumerate(arenas))
    if (arena.space == space) {
      numbers.push_back(number);
      regions.push_back(arena);
    }
  for (unsigned i = 0; i < slots.size(); ++i)
    if (lifetimes.buffers[i].written && isLeader(i) && lifetimes.buffers[i].space.getKind() == space)
      buffers.push_back(i);
  if (numbers.size() == 1)
    members[numbers.front()] = buffers;
  if (numbers.size() < 2)
    return;
  std::vector<double> sums(slots.size());
  for (auto [i, bytes] : llvm::enumerate(accesses))
    sums[find(i)] += bytes;
  std::vector<Heat> heat;
  for (unsigned i : buffers) {
    Heat &own = heat.emplace_back();
    own.accessesPerByte = sums[i] / static_cast<double>(std::max<int64_t>(slots[i].bytes, 1));
    if (SpaceAttr stated = lifetimes.buffers[i].space; stated.getRegion())
      own.region = findArena(regions, stated);
  }
  for (auto [number, region] : llvm::zip(numbers, chooseRegions(slotsOf(buffers), overlapsAmong(buffers, overlaps),
                                                                heat, regions, alignmentOf(regions.front()))))
    for (unsigned i : region)
      members[number].push_back(buffers[i]);
}

/// Their sizes count, their contents do not: they lie over others, in the last region of their space.
void Places::placeUnwritten() {
  for (unsigned i = 0; i < slots.size(); ++i) {
    const Lifetime &buffer = lifetimes.buffers[i];
    if (buffer.written)
      continue;
    for (auto [number, arena] : llvm::enumerate(arenas))
      if (arena.space == buffer.space.getKind())
        chosen[i] = number;
    if (buffer.space.getRegion())
      chosen[i] = *findArena(arenas, buffer.space);
    arenas[chosen[i]].bytes = std::max(arenas[chosen[i]].bytes, slots[i].bytes);
  }
}

/// The arenas of a space one behind the other, which is where they lie if the caller has one block of memory.
void Places::stackArenas() {
  std::map<MemoryKind, int64_t> end;
  for (Arena &arena : arenas) {
    arena.begin = end[arena.space];
    end[arena.space] += arena.bytes;
  }
}

} // namespace sinter
