// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing: nothing overlaps, the arena stays close to the largest live sum, the result is the same each time.
#include "memory/pack.h"

#include <doctest/doctest.h>
#include <random>
#include <vector>

using namespace sinter;

namespace {

void checkPacking(std::vector<Slot> slots, double allowed) {
  std::vector<Slot> again = slots;
  int64_t bytes = pack(slots), bound = largestLiveSum(slots);
  CHECK(bytes >= bound);
  CHECK(static_cast<double>(bytes) <= static_cast<double>(bound) * allowed);
  for (size_t a = 0; a < slots.size(); ++a) {
    CHECK(slots[a].offset >= 0);
    CHECK(slots[a].offset + slots[a].bytes <= bytes);
    for (size_t b = a + 1; b < slots.size(); ++b)
      if (slots[a].first <= slots[b].last && slots[b].first <= slots[a].last)
        REQUIRE((slots[a].offset + slots[a].bytes <= slots[b].offset ||
                 slots[b].offset + slots[b].bytes <= slots[a].offset));
  }
  pack(again);
  for (size_t a = 0; a < slots.size(); ++a)
    REQUIRE(again[a].offset == slots[a].offset);
}

} // namespace

TEST_CASE("no slots, empty slots") {
  std::vector<Slot> none;
  CHECK(pack(none) == 0);
  checkPacking({{0, 0, 5}, {64, 1, 2}, {0, 2, 2}}, 1.0);
}

TEST_CASE("a chain needs its two largest neighbours") {
  std::vector<Slot> chain;
  for (int64_t i = 0; i < 100; ++i)
    chain.push_back({64 * (1 + i * 37 % 29), i, i + 1});
  checkPacking(chain, 1.0);
}

TEST_CASE("random graphs: within 5 % of the largest live sum") {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    std::minstd_rand random(seed);
    std::vector<Slot> slots;
    for (int64_t i = 0; i < 60 + 20 * seed; ++i) {
      int64_t reach = 0, units = 0;
      switch (seed % 3) {
      case 0: // a network that narrows by powers of two, with skips
        units = (int64_t(1) << (random() % 7)) * static_cast<int64_t>(1 + random() % 3);
        reach = random() % 8 == 0 ? random() % 60 : 1 + random() % 4;
        break;
      case 1: // any sizes, long skips
        units = 1 + random() % 100000;
        reach = random() % 5 == 0 ? random() % 100 : 1 + random() % 3;
        break;
      case 2: // everything overlaps with everything
        units = 1 + static_cast<int64_t>(random() % 1000) * static_cast<int64_t>(random() % 1000);
        reach = 1 + random() % 30;
        break;
      }
      slots.push_back({64 * units, i, i + reach});
    }
    CAPTURE(seed);
    checkPacking(slots, 1.05);
  }
}
