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

namespace {

/// Whether the two places are as one of the overlaps allows.
bool isAllowed(const std::vector<Slot> &slots, const std::vector<Overlap> &overlaps, size_t a, size_t b) {
  for (const Overlap &overlap : overlaps)
    if ((overlap.below == a && overlap.above == b) || (overlap.below == b && overlap.above == a)) {
      int64_t between = slots[overlap.above].offset - slots[overlap.below].offset;
      return between >= overlap.distance && between % overlap.grain == 0;
    }
  return false;
}

} // namespace

TEST_CASE("a chain whose links overlap needs its largest slot and what is below it") {
  // 64 bytes become 128 that begin 56 below them, and these 64 in their place.
  std::vector<Slot> chain = {{64, 0, 1}, {128, 1, 2}, {64, 2, 3}};
  std::vector<Overlap> overlaps = {{1, 0, 56}, {2, 1, -64}};
  CHECK(largestLiveSum(chain, overlaps) == 128);
  CHECK(pack(chain, overlaps, 8) == 128);
  CHECK(isAllowed(chain, overlaps, 0, 1));
  // Only a multiple of 48 apart: 96.
  overlaps[0].grain = 48;
  CHECK(pack(chain, overlaps, 8) == 160);
  CHECK(chain[0].offset - chain[1].offset == 96);
}

TEST_CASE("random graphs with overlaps: all places are allowed, and most of what they save is saved") {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    std::minstd_rand random(seed);
    std::vector<Slot> slots;
    std::vector<Overlap> overlaps;
    int64_t last = 0;
    for (unsigned i = 0; i < 40; ++i) {
      slots.push_back({8 * static_cast<int64_t>(1 + random() % 500), last, last + 1});
      if (i > 0 && random() % 4 != 0) {
        int64_t grain = random() % 3 == 0 ? 24 : 1, most = slots[i].bytes;
        overlaps.push_back({i, i - 1, static_cast<int64_t>(random() % static_cast<unsigned>(most + 200)) - 200, grain});
      }
      if (random() % 6 == 0) // scratch, or a residual
        slots.push_back(
            {8 * static_cast<int64_t>(1 + random() % 100), last, last + static_cast<int64_t>(random() % 3)}),
            ++i;
      ++last;
    }
    // A link's predecessor must be alive for one step with it only: those behind something else are none.
    std::vector<Overlap> links;
    for (const Overlap &overlap : overlaps)
      if (slots[overlap.above].last == slots[overlap.below].first)
        links.push_back(overlap);
    std::vector<Slot> plain = slots;
    int64_t bytes = pack(slots, links, 8);
    CAPTURE(seed);
    CHECK(bytes >= largestLiveSum(slots, links));
    CHECK(bytes <= pack(plain));
    for (size_t a = 0; a < slots.size(); ++a) {
      CHECK(slots[a].offset % 8 == 0);
      CHECK(slots[a].offset >= 0);
      CHECK(slots[a].offset + slots[a].bytes <= bytes);
      for (size_t b = a + 1; b < slots.size(); ++b)
        if (slots[a].first <= slots[b].last && slots[b].first <= slots[a].last)
          REQUIRE((slots[a].offset + slots[a].bytes <= slots[b].offset ||
                   slots[b].offset + slots[b].bytes <= slots[a].offset || isAllowed(slots, links, a, b)));
    }
  }
}
