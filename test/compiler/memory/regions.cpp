// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which slots go to which region: the hottest to the fastest, as far as they fit.
#include "memory/regions.h"

#include <doctest/doctest.h>
#include <random>

using namespace sinter;

namespace {

using Members = std::vector<std::vector<unsigned>>;

std::vector<Arena> regionsOf(std::initializer_list<int64_t> limits) {
  std::vector<Arena> regions;
  for (int64_t limit : limits)
    regions.emplace_back().limit = limit;
  return regions;
}

std::vector<Heat> heatOf(std::initializer_list<double> accesses) {
  std::vector<Heat> heat;
  for (double each : accesses)
    heat.push_back({each, std::nullopt});
  return heat;
}

constexpr int64_t none = INT64_MAX;

} // namespace

TEST_CASE("the hottest slots have the fast region, as many as fit") {
  std::vector<Slot> slots = {{64, 0, 9}, {64, 0, 9}, {64, 0, 9}, {128, 0, 9}};
  CHECK(chooseRegions(slots, {}, heatOf({1, 3, 2, 9}), regionsOf({256, none}), 64) == Members{{3, 1, 2}, {0}});
  // The hottest is too large: the next ones fit.
  CHECK(chooseRegions(slots, {}, heatOf({1, 3, 2, 9}), regionsOf({64, none}), 64) == Members{{1}, {3, 2, 0}});
  CHECK(chooseRegions(slots, {}, heatOf({1, 3, 2, 9}), regionsOf({0, 64, none}), 64) == Members{{}, {1}, {3, 2, 0}});
}

TEST_CASE("slots that do not live together share a region's bytes") {
  std::vector<Slot> slots = {{64, 0, 1}, {64, 2, 3}, {64, 4, 5}, {64, 1, 4}};
  CHECK(chooseRegions(slots, {}, heatOf({4, 3, 2, 1}), regionsOf({64, none}), 64) == Members{{0, 1, 2}, {3}});
}

TEST_CASE("slots that may overlap need less of a region than both") {
  std::vector<Slot> slots = {{64, 1, 2}, {64, 0, 1}};
  std::vector<Overlap> overlaps = {{0, 1, 16}}; // slot 0 begins 16 bytes below slot 1
  CHECK(chooseRegions(slots, overlaps, heatOf({1, 1}), regionsOf({80, none}), 16) == Members{{0, 1}, {}});
  CHECK(chooseRegions(slots, overlaps, heatOf({1, 1}), regionsOf({79, none}), 16) == Members{{0}, {1}});
}

TEST_CASE("what finds no room goes before what is hotter") {
  std::vector<Slot> slots = {{64, 0, 9}, {256, 0, 9}};
  CHECK(chooseRegions(slots, {}, heatOf({9, 1}), regionsOf({256, 64}), 64) == Members{{1}, {0}});
  // Nothing helps: the last region is too large then.
  CHECK(chooseRegions(slots, {}, heatOf({9, 1}), regionsOf({64, 64}), 64) == Members{{0}, {1}});
}

TEST_CASE("a slot that states its region stays there, however hot it is and however full that is") {
  std::vector<Slot> slots = {{64, 0, 9}, {64, 0, 9}, {64, 0, 9}};
  std::vector<Heat> heat = heatOf({9, 2, 1});
  heat[0].region = 1;
  CHECK(chooseRegions(slots, {}, heat, regionsOf({128, none}), 64) == Members{{1, 2}, {0}});
  heat[2].region = 0;
  CHECK(chooseRegions(slots, {}, heat, regionsOf({64, none}), 64) == Members{{2}, {0, 1}});
  heat[1].region = 0; // both want the room of one
  Members both = chooseRegions(slots, {}, heat, regionsOf({64, none}), 64);
  CHECK(both[0].size() == 2);
  CHECK(both[1] == std::vector<unsigned>{0});
}

TEST_CASE("each slot is in one region, and regions other than the last keep their limits") {
  std::minstd_rand random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Slot> slots;
    std::vector<Heat> heat;
    for (int i = 0; i < 20; ++i) {
      auto first = static_cast<int64_t>(random() % 30);
      slots.push_back({static_cast<int64_t>(random() % 40) * 16, first, first + static_cast<int64_t>(random() % 10)});
      heat.push_back({static_cast<double>(random() % 100), std::nullopt});
    }
    std::vector<Arena> regions = regionsOf({400, 1000, none});
    Members members = chooseRegions(slots, {}, heat, regions, 16);
    std::vector<int> times(slots.size());
    for (size_t region = 0; region < members.size(); ++region) {
      std::vector<Slot> own;
      for (unsigned slot : members[region]) {
        ++times[slot];
        own.push_back(slots[slot]);
      }
      CHECK(pack(own, {}, 16, regions[region].limit) <= regions[region].limit);
    }
    CHECK(times == std::vector<int>(slots.size(), 1));
  }
}
