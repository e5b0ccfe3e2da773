// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mass_select.h: the place that sorting and adding finds, for keys with many ties and for keys far apart.
#include "runtime-lite/generation/mass_select.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace sinter;

TEST_CASE("mass_select: as sorting says") {
  std::mt19937 random(1);
  std::vector<uint64_t> bins(kMassBins);
  for (int round = 0; round < 1200; ++round) {
    const int32_t n = 1 + int32_t(random() % (round % 4 ? 300 : 2000));
    const uint32_t spread = round % 3 == 0 ? 5u : round % 3 == 1 ? 5000u : 0xffffffffu;
    const int shift = round % 5 ? 23 : 12; // many in one bin of the coarse order, or few
    std::vector<uint32_t> keys(size_t(n), 0), weights(size_t(n), 0);
    std::vector<int32_t> ids(size_t(n), 0), work(ids), sorted;
    std::iota(ids.begin(), ids.end(), 0);
    for (size_t i = 0; i < size_t(n); ++i) {
      keys[i] = uint32_t(random()) % spread;
      weights[i] = random() % 4 == 0 ? 0 : uint32_t(random() % 100);
    }
    weights[random() % size_t(n)] = 7;
    sorted = ids;
    std::sort(sorted.begin(), sorted.end(), [&](int32_t x, int32_t y) {
      return keys[size_t(x)] != keys[size_t(y)] ? keys[size_t(x)] < keys[size_t(y)] : x < y;
    });
    const auto key = [&](int32_t id) { return keys[size_t(id)]; };
    const auto weight = [&](int32_t id) { return uint64_t(weights[size_t(id)]); };
    const auto coarse = [&](int32_t id) { return keys[size_t(id)] >> shift < 511 ? keys[size_t(id)] >> shift : 511u; };
    MassSelect<decltype(key), decltype(coarse), decltype(weight)> select(ids.data(), n, bins.data(), work.data(), key,
                                                                         coarse, weight);
    REQUIRE(select.total() == std::accumulate(weights.begin(), weights.end(), uint64_t(0)));
    const uint64_t mass = random() % select.total();
    uint64_t sum = 0;
    size_t i = 0;
    while ((sum += weights[size_t(sorted[i])]) <= mass)
      ++i;
    CHECK(select.find(mass).id == sorted[i]);
  }
}
