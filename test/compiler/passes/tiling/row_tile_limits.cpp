// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which way of row tiling --fit ram takes, on plain numbers, with a planner that is none.
#include "passes/tiling/support/row_tile_limits.h"

#include <doctest/doctest.h>
#include <map>

using namespace sinter;

namespace {

RowTilingWay within(int64_t bytes, bool mapsApart = false) { return {Fit::Ram, {bytes, mapsApart}}; }
const RowTilingWay byDefault = {Fit::Balanced, {}};

/// What plans need, by limit; of other limits no plan is made. Which were asked, in order.
struct FakePlanner {
  std::map<int64_t, RowTilingNeed> needs;
  std::vector<int64_t> asked;

  std::optional<int64_t> best(std::vector<RowTilingWay> ways) {
    asked.clear();
    std::optional<RowTilingWay> way =
        bestRowTiling(std::move(ways), [&](const RowTilingWay &way) -> std::optional<RowTilingNeed> {
          asked.push_back(way.budget.bytes.value_or(0));
          auto need = needs.find(asked.back());
          return need == needs.end() ? std::nullopt : std::optional(need->second);
        });
    return way ? std::optional(way->budget.bytes.value_or(0)) : std::nullopt;
  }
};

} // namespace

TEST_CASE("the smallest arena, of equal ones the one with the least work") {
  FakePlanner planner{{{0, {0, 900, 1}}, {100, {0, 500, 1.3}}, {200, {0, 400, 1.2}}, {300, {0, 400, 1.1}}}, {}};
  CHECK(planner.best({byDefault, within(100), within(200), within(300)}) == 300);
  planner.needs[300].arena = 401;
  CHECK(planner.best({byDefault, within(100), within(200), within(300)}) == 200);
}

TEST_CASE("what --ram allows comes before the arena's size") {
  FakePlanner planner{{{100, {8, 300, 1}}, {200, {0, 500, 1}}, {300, {4, 200, 1}}}, {}};
  CHECK(planner.best({within(300), within(100), within(200)}) == 200);
}

TEST_CASE("limits from the best arena on are not tried, unless that is over what --ram allows") {
  FakePlanner planner{{{100, {0, 150, 1}}, {140, {0, 160, 1}}, {150, {0, 50, 1}}}, {}};
  CHECK(planner.best({within(150), within(140), within(100)}) == 100);
  CHECK(planner.asked == std::vector<int64_t>{100, 140});
  planner.needs[100].excess = planner.needs[140].excess = 1;
  CHECK(planner.best({within(150), within(140), within(100)}) == 150);
  CHECK(planner.asked == std::vector<int64_t>{100, 140, 150});
}

TEST_CASE("plans that fail count for nothing") {
  FakePlanner planner{{{200, {0, 500, 1}}}, {}};
  CHECK(planner.best({within(100), within(200), within(300)}) == 200);
  CHECK(planner.best({within(100)}) == std::nullopt);
  CHECK(planner.best({}) == std::nullopt);
}
