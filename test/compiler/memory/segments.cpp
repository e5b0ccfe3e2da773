// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments and OccupiedBytes: held against an array that says the same byte by byte.
#include "memory/occupied_bytes.h"

#include <array>
#include <doctest/doctest.h>
#include <random>
#include <set>
#include <vector>

using namespace sinter;

TEST_CASE("runs of equal values are joined, what was never set is T()") {
  Segments<int> segments;
  auto runs = [&] {
    std::vector<std::array<int64_t, 3>> found;
    segments.visit(-10, 10, [&](const int &value, int64_t from, int64_t to) { found.push_back({from, to, value}); });
    return found;
  };
  auto set = [&](int64_t begin, int64_t end, int value) {
    segments.change(begin, end, [&](int &here, int64_t, int64_t) { here = value; });
  };
  set(0, 4, 1);
  set(4, 6, 1);
  CHECK(runs() == std::vector<std::array<int64_t, 3>>{{0, 6, 1}, {6, 10, 0}});
  set(2, 3, 7);
  CHECK(runs() == std::vector<std::array<int64_t, 3>>{{0, 2, 1}, {2, 3, 7}, {3, 6, 1}, {6, 10, 0}});
  set(2, 3, 1);
  set(3, 3, 9); // nothing
  CHECK(runs() == std::vector<std::array<int64_t, 3>>{{0, 6, 1}, {6, 10, 0}});
  set(0, 6, 0);
  CHECK(runs().empty());
}

TEST_CASE("holders and occupied bytes are those of an array") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    constexpr int64_t size = 40;
    OccupiedBytes occupied;
    std::vector<std::set<unsigned>> bytes(size);
    std::vector<std::pair<int64_t, int64_t>> held;
    auto pick = [&](int64_t below) { return static_cast<int64_t>(random() % static_cast<uint64_t>(below)); };
    for (unsigned holder = 0; holder < 12; ++holder) {
      int64_t begin = pick(size), end = begin + pick(size - begin + 1);
      held.emplace_back(begin, end);
      occupied.add(begin, end, holder);
      for (int64_t byte = begin; byte < end; ++byte)
        bytes[byte].insert(holder);
      if (unsigned gone = static_cast<unsigned>(pick(12)); gone < holder && held[gone].second >= 0) {
        occupied.remove(held[gone].first, held[gone].second, gone);
        for (std::set<unsigned> &holders : bytes)
          holders.erase(gone);
        held[gone] = {0, -1};
      }
      int64_t from = pick(size), to = from + pick(size - from + 1), count = 0;
      std::set<unsigned> expected;
      for (int64_t byte = from; byte < to; ++byte)
        expected.insert(bytes[byte].begin(), bytes[byte].end());
      for (const std::set<unsigned> &holders : bytes)
        count += holders.empty() ? 0 : 1;
      llvm::SmallVector<unsigned> found = occupied.holdersOf(from, to);
      REQUIRE(std::vector<unsigned>(found.begin(), found.end()) ==
              std::vector<unsigned>(expected.begin(), expected.end()));
      REQUIRE(occupied.bytes() == count);
    }
  }
}
