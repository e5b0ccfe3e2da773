// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowest-fit packing in several orders, then a search that is driven by what does not fit: under a ceiling just below
// the best packing so far, the first slot that would break through is placed before one that it collides with, and
// packing goes on from there. It ends when the ceiling is below the largest live sum, or its effort is used up.
#include "pack.h"

#include "llvm/ADT/STLExtras.h"
#include <random>
#include <vector>

using namespace llvm;

namespace sinter {
namespace {

/// Pairs of slots that the search may look at: some tens of milliseconds.
constexpr int64_t effort = 6'000'000;

using Order = std::vector<uint32_t>;

class Packer {
public:
  explicit Packer(ArrayRef<Slot> slots)
      : slots(slots), neighbours(slots.size()), offsets(slots.size()), rank(slots.size()) {
    Order byFirst = orderBy([](const Slot &slot) { return -slot.first; });
    Order alive;
    for (uint32_t slot : byFirst) {
      llvm::erase_if(alive, [&](uint32_t other) { return slots[other].last < slots[slot].first; });
      for (uint32_t other : alive) {
        neighbours[slot].push_back(other);
        neighbours[other].push_back(slot);
      }
      alive.push_back(slot);
    }
  }

  /// All slots, largest key first.
  template <class Key>
  Order orderBy(Key key) const {
    Order order(slots.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](uint32_t a, uint32_t b) {
      return std::make_pair(key(slots[b]), a) < std::make_pair(key(slots[a]), b);
    });
    return order;
  }

  /// Places the slots of `order` from position `from` on, each at the lowest free offset; the position of the first
  /// that would end above the ceiling, or the number of slots. Those before `from` are placed.
  size_t place(const Order &order, size_t from, int64_t ceiling) {
    for (size_t i = from; i < order.size(); ++i)
      rank[order[i]] = i;
    for (size_t i = from; i < order.size(); ++i) {
      uint32_t slot = order[i];
      taken.clear();
      for (uint32_t other : neighbours[slot])
        if (rank[other] < i)
          taken.emplace_back(offsets[other], offsets[other] + slots[other].bytes);
      looked += neighbours[slot].size() + 1;
      llvm::sort(taken);
      int64_t offset = 0;
      for (auto [begin, end] : taken) {
        if (begin - offset >= slots[slot].bytes)
          break;
        offset = std::max(offset, end);
      }
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
  size_t blockerOf(const Order &order, size_t position, std::minstd_rand &random) const {
    SmallVector<size_t> blockers;
    for (uint32_t other : neighbours[order[position]])
      if (rank[other] < position)
        blockers.push_back(rank[other]);
    return blockers[random() % blockers.size()];
  }

  std::vector<int64_t> offsetsSoFar() const { return offsets; }
  int64_t looked = 0; ///< pairs of slots

private:
  ArrayRef<Slot> slots;
  std::vector<Order> neighbours;
  std::vector<int64_t> offsets;
  std::vector<size_t> rank; ///< position in the order
  std::vector<std::pair<int64_t, int64_t>> taken;
};

} // namespace

int64_t largestLiveSum(ArrayRef<Slot> slots) {
  std::vector<std::pair<int64_t, int64_t>> changes; // (step, bytes): at one step, ends come behind starts
  for (const Slot &slot : slots) {
    changes.emplace_back(2 * slot.first, slot.bytes);
    changes.emplace_back(2 * slot.last + 1, -slot.bytes);
  }
  llvm::sort(changes);
  int64_t live = 0, largest = 0;
  for (auto [step, bytes] : changes)
    largest = std::max(largest, live += bytes);
  return largest;
}

int64_t pack(MutableArrayRef<Slot> slots) {
  if (slots.empty())
    return 0;
  const int64_t bound = largestLiveSum(slots);
  Packer packer(slots);
  auto span = [](const Slot &slot) { return slot.last - slot.first + 1; };
  auto area = [&](const Slot &slot) { return static_cast<double>(slot.bytes) * static_cast<double>(span(slot)); };

  Order best;
  int64_t bestHeight = INT64_MAX;
  std::vector<int64_t> offsets;
  auto keepIfBetter = [&](const Order &order) {
    if (int64_t height = packer.height(); height < bestHeight) {
      bestHeight = height;
      best = order;
      offsets = packer.offsetsSoFar();
    }
  };
  for (const Order &order : {packer.orderBy([](const Slot &slot) { return slot.bytes; }), packer.orderBy(area),
                             packer.orderBy([&](const Slot &slot) { return std::make_pair(span(slot), slot.bytes); }),
                             packer.orderBy([](const Slot &slot) { return -slot.first; })}) {
    if (bestHeight == bound)
      break;
    packer.place(order, 0, INT64_MAX);
    keepIfBetter(order);
  }

  std::minstd_rand random(1); // its sequence is fixed by the standard
  Order order = best;
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
