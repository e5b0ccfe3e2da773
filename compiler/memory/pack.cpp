// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowest-fit packing in several orders, then a search that is driven by what does not fit: under a ceiling just below
// the best packing so far, the first slot that would break through is placed before one that it collides with, and
// packing goes on from there. It ends when the ceiling is below the largest live sum, or its effort is used up.
#include "pack.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>
#include <random>
#include <vector>

using namespace llvm;

namespace sinter {
namespace {

/// Pairs of slots that the search may look at: some tens of milliseconds.
constexpr int64_t effort = 6'000'000;

using SlotOrder = std::vector<uint32_t>;

class ArenaPacker {
public:
  ArenaPacker(ArrayRef<Slot> slots, ArrayRef<Overlap> overlaps, int64_t alignment)
      : slots(slots), neighbours(slots.size()), offsets(slots.size()), rank(slots.size()) {
    std::map<std::pair<uint32_t, uint32_t>, Neighbour> special;
    for (const Overlap &overlap : overlaps) {
      int64_t distance = std::min(roundUp(overlap.distance, alignment), slots[overlap.below].bytes);
      int64_t grain = std::lcm(overlap.grain, alignment);
      special[{overlap.below, overlap.above}] = {overlap.above, distance, slots[overlap.above].bytes, grain};
      special[{overlap.above, overlap.below}] = {overlap.below, slots[overlap.above].bytes, distance, grain};
    }
    auto meet = [&](uint32_t a, uint32_t b) {
      auto found = special.find({a, b});
      neighbours[a].push_back(found != special.end() ? found->second : Neighbour{b, slots[a].bytes, slots[b].bytes, 1});
    };
    SlotOrder byFirst = orderBy([](const Slot &slot) { return -slot.first; });
    SlotOrder alive;
    for (uint32_t slot : byFirst) {
      llvm::erase_if(alive, [&](uint32_t other) { return slots[other].last < slots[slot].first; });
      for (uint32_t other : alive) {
        meet(slot, other);
        meet(other, slot);
      }
      alive.push_back(slot);
    }
  }

  /// All slots, largest key first.
  template <class Key>
  SlotOrder orderBy(Key key) const {
    SlotOrder order(slots.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](uint32_t a, uint32_t b) {
      return std::make_pair(key(slots[b]), a) < std::make_pair(key(slots[a]), b);
    });
    return order;
  }

  /// Places the slots of `order` from position `from` on, each at the lowest free offset; the position of the first
  /// that would end above the ceiling, or the number of slots. Those before `from` are placed.
  size_t place(const SlotOrder &order, size_t from, int64_t ceiling) {
    for (size_t i = from; i < order.size(); ++i)
      rank[order[i]] = i;
    for (size_t i = from; i < order.size(); ++i) {
      uint32_t slot = order[i];
      taken.clear();
      for (const Neighbour &other : neighbours[slot])
        if (rank[other.slot] < i)
          taken.emplace_back(offsets[other.slot] - other.own, offsets[other.slot] + other.its);
      looked += neighbours[slot].size() + 1;
      llvm::sort(taken);
      int64_t offset = lowestFree(slot, i);
      if (offset + slots[slot].bytes > ceiling)
        return i;
      offsets[slot] = offset;
    }
    return order.size();
  }

  int64_t height() const {
    int64_t height = 0;
    for (auto [slot, offset] : llvm::zip(slots, offsets))
      height = std::max(height, offset + slot.bytes);
    return height;
  }

  /// The position of one of the slots in front of `position` that the slot there collides with.
  size_t blockerOf(const SlotOrder &order, size_t position, std::minstd_rand &random) const {
    SmallVector<size_t> blockers;
    for (const Neighbour &other : neighbours[order[position]])
      if (rank[other.slot] < position)
        blockers.push_back(rank[other.slot]);
    return blockers[random() % blockers.size()];
  }

  std::vector<int64_t> offsetsSoFar() const { return offsets; }
  int64_t looked = 0; ///< pairs of slots

private:
  /// A slot that is alive at the same time. This one must lie `own` bytes or more before it, or `its` bytes or more
  /// behind: of disjoint slots these are their sizes.
  struct Neighbour {
    uint32_t slot;
    int64_t own, its;
    int64_t grain; ///< where they overlap, their distance is a multiple
  };

  static int64_t roundUp(int64_t value, int64_t alignment) {
    int64_t rest = value % alignment;
    return rest == 0 ? value : value - rest + (value > 0 ? alignment : 0);
  }

  /// `taken`: where the slot may not begin, without the ends of the intervals.
  int64_t lowestFree(uint32_t slot, size_t position) const {
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (auto [begin, end] : taken) {
        if (begin >= offset)
          break;
        offset = std::max(offset, end);
      }
      for (const Neighbour &other : neighbours[slot]) {
        if (other.grain == 1 || rank[other.slot] >= position)
          continue;
        int64_t between = offset - offsets[other.slot], rest = (between % other.grain + other.grain) % other.grain;
        if (rest != 0 && between < slots[other.slot].bytes && -between < slots[slot].bytes) {
          offset += other.grain - rest;
          moved = true;
        }
      }
    }
    return offset;
  }

  ArrayRef<Slot> slots;
  std::vector<std::vector<Neighbour>> neighbours;
  std::vector<int64_t> offsets;
  std::vector<size_t> rank; ///< position in the order
  std::vector<std::pair<int64_t, int64_t>> taken;
};

} // namespace

int64_t largestLiveSum(ArrayRef<Slot> slots, ArrayRef<Overlap> overlaps) {
  std::vector<std::pair<int64_t, int64_t>> changes; // (step, bytes): at one step, ends come behind starts
  for (const Slot &slot : slots) {
    changes.emplace_back(2 * slot.first, slot.bytes);
    changes.emplace_back(2 * slot.last + 1, -slot.bytes);
  }
  for (const Overlap &overlap : overlaps) { // both are alive at one step only
    const Slot &below = slots[overlap.below], &above = slots[overlap.above];
    int64_t both = std::max(below.bytes, above.bytes + std::max<int64_t>(overlap.distance, 0));
    int64_t saved = std::max<int64_t>(0, below.bytes + above.bytes - both);
    changes.emplace_back(2 * below.first - 1, -saved);
    changes.emplace_back(2 * above.last + 1, saved);
  }
  llvm::sort(changes);
  int64_t live = 0, largest = 0;
  for (auto [step, bytes] : changes)
    largest = std::max(largest, live += bytes);
  return largest;
}

int64_t pack(MutableArrayRef<Slot> slots, ArrayRef<Overlap> overlaps, int64_t alignment, int64_t enough) {
  if (slots.empty())
    return 0;
  const int64_t bound = std::max(enough, largestLiveSum(slots, overlaps));
  ArenaPacker packer(slots, overlaps, alignment);
  auto span = [](const Slot &slot) { return slot.last - slot.first + 1; };
  auto area = [&](const Slot &slot) { return static_cast<double>(slot.bytes) * static_cast<double>(span(slot)); };

  SlotOrder best;
  int64_t bestHeight = INT64_MAX;
  std::vector<int64_t> offsets;
  auto keepIfBetter = [&](const SlotOrder &order) {
    if (int64_t height = packer.height(); height < bestHeight) {
      bestHeight = height;
      best = order;
      offsets = packer.offsetsSoFar();
    }
  };
  for (const SlotOrder &order :
       {packer.orderBy([](const Slot &slot) { return slot.bytes; }), packer.orderBy(area),
        packer.orderBy([&](const Slot &slot) { return std::make_pair(span(slot), slot.bytes); }),
        packer.orderBy([](const Slot &slot) { return -slot.first; })}) {
    if (bestHeight <= bound)
      break;
    packer.place(order, 0, INT64_MAX);
    keepIfBetter(order);
  }

  std::minstd_rand random(1); // its sequence is fixed by the standard
  SlotOrder order = best;
  size_t from = 0;
  while (bestHeight > bound && packer.looked < effort) {
    size_t stuck = packer.place(order, from, bestHeight - 1);
    if (stuck == order.size()) {
      keepIfBetter(order);
      from = 0;
      continue;
    }
    from = packer.blockerOf(order, stuck, random);
    std::rotate(order.begin() + from, order.begin() + stuck, order.begin() + stuck + 1);
  }
  for (auto [slot, offset] : llvm::zip(slots, offsets))
    slot.offset = offset;
  return bestHeight;
}

} // namespace sinter
