// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowest-fit packing in several orders, then a local search over orders: a slot at the top moves to the front of what
// it collides with. Peaks of real models are within a few percent of the largest live sum after it; the search ends
// early when they meet.
#include "pack.h"

#include "llvm/ADT/STLExtras.h"
#include <random>
#include <vector>

using namespace llvm;

namespace sinter {
namespace {

/// Steps that the local search may take: a few tens of milliseconds.
constexpr int64_t searchSteps = 20'000'000;

using Order = std::vector<uint32_t>;

class Packer {
public:
  explicit Packer(ArrayRef<Slot> slots)
      : slots(slots), neighbours(slots.size()), offsets(slots.size()), placed(slots.size()) {
    std::vector<uint32_t> byFirst(slots.size()), alive;
    std::iota(byFirst.begin(), byFirst.end(), 0);
    llvm::sort(byFirst, [&](uint32_t a, uint32_t b) {
      return std::make_pair(slots[a].first, a) < std::make_pair(slots[b].first, b);
    });
    for (uint32_t slot : byFirst) {
      llvm::erase_if(alive, [&](uint32_t other) { return slots[other].last < slots[slot].first; });
      for (uint32_t other : alive) {
        neighbours[slot].push_back(other);
        neighbours[other].push_back(slot);
      }
      pairs += alive.size();
      alive.push_back(slot);
    }
  }

  /// Places the slots one by one at the lowest free offset; the height reached.
  int64_t place(const Order &order) {
    std::fill(placed.begin(), placed.end(), false);
    int64_t height = 0;
    for (uint32_t slot : order) {
      taken.clear();
      for (uint32_t other : neighbours[slot])
        if (placed[other])
          taken.emplace_back(offsets[other], offsets[other] + slots[other].bytes);
      llvm::sort(taken);
      int64_t offset = 0;
      for (auto [begin, end] : taken) {
        if (begin - offset >= slots[slot].bytes)
          break;
        offset = std::max(offset, end);
      }
      offsets[slot] = offset;
      placed[slot] = true;
      height = std::max(height, offset + slots[slot].bytes);
    }
    return height;
  }

  /// One try of the search: a slot that reaches the top moves before a random one of those placed earlier.
  Order vary(const Order &order, int64_t height, std::minstd_rand &random) {
    SmallVector<size_t> top;
    for (size_t i = 0; i < order.size(); ++i)
      if (offsets[order[i]] + slots[order[i]].bytes == height)
        top.push_back(i);
    size_t from = top[random() % top.size()];
    size_t to = from ? random() % from : 0;
    Order varied = order;
    std::rotate(varied.begin() + to, varied.begin() + from, varied.begin() + from + 1);
    return varied;
  }

  int64_t stepsPerTry() const { return static_cast<int64_t>(slots.size()) * 8 + pairs * 4; }
  const std::vector<int64_t> &result() const { return offsets; }

private:
  ArrayRef<Slot> slots;
  std::vector<std::vector<uint32_t>> neighbours;
  std::vector<int64_t> offsets;
  std::vector<char> placed;
  std::vector<std::pair<int64_t, int64_t>> taken;
  int64_t pairs = 0;
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

  Order best;
  int64_t bestHeight = INT64_MAX;
  auto consider = [&](Order order) {
    int64_t height = packer.place(order);
    if (height < bestHeight) {
      bestHeight = height;
      best = std::move(order);
    }
  };
  auto considerBy = [&](auto key) {
    Order order(slots.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](uint32_t a, uint32_t b) {
      return std::make_pair(key(slots[b]), a) < std::make_pair(key(slots[a]), b);
    });
    if (bestHeight > bound)
      consider(std::move(order));
  };
  auto span = [](const Slot &slot) { return slot.last - slot.first + 1; };
  considerBy([](const Slot &slot) { return slot.bytes; });
  considerBy([&](const Slot &slot) { return std::make_pair(span(slot), slot.bytes); });
  considerBy([&](const Slot &slot) { return static_cast<double>(slot.bytes) * static_cast<double>(span(slot)); });
  considerBy([](const Slot &slot) { return -slot.first; });

  std::minstd_rand random(1); // its sequence is fixed by the standard
  int64_t height = packer.place(best);
  Order current = best;
  for (int64_t steps = 0; bestHeight > bound && steps < searchSteps; steps += packer.stepsPerTry()) {
    Order varied = packer.vary(current, height, random);
    int64_t variedHeight = packer.place(varied);
    if (variedHeight > height) {
      packer.place(current); // offsets of the order that the next try varies
      steps += packer.stepsPerTry();
      continue;
    }
    current = std::move(varied);
    height = variedHeight;
    if (height < bestHeight) {
      bestHeight = height;
      best = current;
    }
  }
  packer.place(best);
  for (auto [slot, offset] : llvm::zip(slots, packer.result()))
    slot.offset = offset;
  return bestHeight;
}

} // namespace sinter
