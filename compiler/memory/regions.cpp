// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace sinter {

std::vector<Overlap> overlapsAmong(ArrayRef<unsigned> members, ArrayRef<Overlap> overlaps) {
  std::vector<Overlap> among;
  for (Overlap overlap : overlaps) {
    auto below = llvm::find(members, overlap.below), above = llvm::find(members, overlap.above);
    if (below == members.end() || above == members.end())
      continue;
    overlap.below = static_cast<unsigned>(below - members.begin());
    overlap.above = static_cast<unsigned>(above - members.begin());
    among.push_back(overlap);
  }
  return among;
}

namespace {

class RegionChoice {
public:
  RegionChoice(ArrayRef<Slot> slots, ArrayRef<Overlap> overlaps, ArrayRef<Heat> heat, ArrayRef<Arena> regions,
               int64_t alignment)
      : slots(slots), overlaps(overlaps), heat(heat), regions(regions), alignment(alignment) {}

  /// The first position in `order` whose slot finds no room, which goes to the last region (that it may have) all the
  /// same.
  std::optional<size_t> choose(ArrayRef<unsigned> order, std::vector<std::vector<unsigned>> &members) const {
    members.assign(regions.size(), {});
    std::optional<size_t> stuck;
    for (auto [position, slot] : llvm::enumerate(order)) {
      size_t region = heat[slot].region.value_or(0), end = heat[slot].region ? region + 1 : regions.size();
      while (region < end && !hasRoom(members[region], slot, regions[region].limit))
        ++region;
      if (region == end) {
        stuck = stuck.value_or(position);
        --region;
      }
      members[region].push_back(slot);
    }
    return stuck;
  }

private:
  bool hasRoom(std::vector<unsigned> members, unsigned slot, int64_t limit) const {
    if (limit == INT64_MAX)
      return true;
    members.push_back(slot);
    std::vector<Slot> together;
    for (unsigned each : members)
      together.push_back(slots[each]);
    std::vector<Overlap> among = overlapsAmong(members, overlaps);
    return largestLiveSum(together, among) <= limit && pack(together, among, alignment, limit) <= limit;
  }

  ArrayRef<Slot> slots;
  ArrayRef<Overlap> overlaps;
  ArrayRef<Heat> heat;
  ArrayRef<Arena> regions;
  int64_t alignment;
};

} // namespace

std::vector<std::vector<unsigned>> chooseRegions(ArrayRef<Slot> slots, ArrayRef<Overlap> overlaps, ArrayRef<Heat> heat,
                                                 ArrayRef<Arena> regions, int64_t alignment) {
  std::vector<std::vector<unsigned>> chosen;
  std::vector<unsigned> order(slots.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return heat[a].accessesPerByte > heat[b].accessesPerByte; });
  RegionChoice choice(slots, overlaps, heat, regions, alignment);
  constexpr int rounds = 100;
  for (int round = 0; round < rounds; ++round) {
    std::optional<size_t> stuck = choice.choose(order, chosen);
    if (!stuck || *stuck == 0)
      break;
    std::rotate(order.begin(), order.begin() + *stuck, order.begin() + *stuck + 1);
  }
  return chosen;
}

} // namespace sinter
