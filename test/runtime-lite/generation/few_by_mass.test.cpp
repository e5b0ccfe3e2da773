// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// few_by_mass.h: the item that sorting and adding finds, also among ties of keys and items that add nothing.
#include "runtime-lite/generation/few_by_mass.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

using namespace sinter;

TEST_CASE("few_by_mass: as sorting says") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const int32_t n = 1 + int32_t(random() % 128);
    std::vector<uint64_t> order(size_t(n), 0), masses(order);
    std::vector<std::pair<uint64_t, uint64_t>> sorted;
    FewByMass few = {order.data(), masses.data(), 0};
    uint64_t total = 0;
    for (int32_t id = 0; id < n; ++id) {
      const uint32_t key = round % 2 ? uint32_t(random()) : random() % 4;
      const uint64_t mass = random() % 3 ? random() % 100 : 0;
      few.put(key, id, mass);
      sorted.push_back({order[size_t(id)], mass});
      total += mass;
    }
    std::sort(sorted.begin(), sorted.end());
    const uint64_t wanted = random() % (total + 1); // of the total itself: the last item
    uint64_t sum = 0;
    size_t i = 0;
    while (i + 1 < sorted.size() && (sum += sorted[i].second) <= wanted)
      ++i;
    CHECK(few.find(wanted) == sorted[i].first);
  }
}
