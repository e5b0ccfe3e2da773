// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model on plain numbers: a copy of 64 rows, read by windows of three, read by windows of one.
#include "passes/tiling/support/row_tile_choice.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// `rows` rows of 100 bytes each; the next step reads it by windows of `extent` rows.
ChainStep step(size_t number, int64_t rows, int64_t extent) {
  ChainStep s;
  s.rows = rows;
  s.work = rows * 1000;
  s.outputBytes = rows * 100;
  s.outputRowBytes = 100;
  s.extent = extent;
  s.pad = extent / 2;
  s.position = static_cast<int64_t>(number);
  return s;
}

std::vector<ChainStep> threeSteps() {
  std::vector<ChainStep> chain = {step(0, 64, 1), step(1, 64, 3), step(2, 64, 1)};
  chain[0].readers = {{1, 1, 3, 1}};
  chain[1].readers = {{2, 1, 1, 0}};
  return chain;
}

/// Step i runs while its input and its output live, each of 6400 bytes; inside of a segment they are none of its.
int64_t live(int64_t from, int64_t to) { return (from > 0 ? 6400 : 0) + (to < 2 ? 6400 : 0); }

RowTilingGoal smallest() {
  RowTilingGoal goal;
  goal.leastMemory = true;
  goal.cacheBytes = 0;
  return goal;
}

} // namespace

TEST_CASE("each row is made once, before it is read") {
  std::vector<ChainStep> chain = threeSteps();
  for (int64_t rows : {1, 3, 8, 64})
    for (int64_t lead : {0, 1, 2}) {
      Segment segment;
      segment.last = 2;
      segment.rows = rows;
      segment.lead = lead;
      std::vector<int64_t> made(3, 0);
      for (const std::vector<TileRows> &tile : rowsOfTiles(chain, segment))
        for (size_t i = 0; i < 3; ++i) {
          if (tile[i].end > tile[i].first) {
            CHECK(tile[i].first == made[i]);
            made[i] = tile[i].end;
          }
          CHECK(tile[i].low <= tile[i].first);
          if (i > 0 && tile[i].end > tile[i].first) { // the window of the last row is there
            const ChainStep &reader = chain[i];
            CHECK(made[i - 1] >= std::min<int64_t>(tile[i].end - 1 - reader.pad + reader.extent, 64));
          }
        }
      CHECK(made == std::vector<int64_t>{64, 64, 64});
    }
}

TEST_CASE("each band makes its rows of the last step, and before them all that they read") {
  std::vector<ChainStep> chain = threeSteps();
  Segment segment;
  segment.last = 2;
  segment.rows = 4;
  segment.tiles = 16;
  segment.bands = 3; // of six, six and four tiles
  std::vector<std::vector<TileRows>> tiles = rowsOfTiles(chain, segment);
  REQUIRE(tiles.size() == 16);
  CHECK(segment.tilesOfBand() == 6);
  int64_t made = 0;
  for (int64_t t = 0; t < 16; ++t) {
    const std::vector<TileRows> &tile = tiles[t];
    CHECK(segment.beginsBand(t) == (t % 6 == 0));
    CHECK(tile[2].first == made);
    made = tile[2].end;
    for (size_t i = 0; i < 3; ++i)
      if (segment.beginsBand(t))
        CHECK(tile[i].first == tile[i].low);
      else
        CHECK(tile[i].first == tiles[t - 1][i].end);
  }
  CHECK(made == 64);
  CHECK(tiles[6][0].first == 23); // row 24 of a window of three rows reads the row above
}

TEST_CASE("threads take bands where their tiles are enough for each") {
  std::vector<ChainStep> chain = threeSteps();
  for (ChainStep &each : chain) {
    each.work = 64 * 10;
    each.outputBytes = 64 * 1000;
  }
  RowTilingGoal goal;
  goal.cacheBytes = 40000; // holds no map
  goal.bytesPerCycle = 1;
  auto bandsOf = [&](int64_t threads, double handOff) {
    goal.threads = threads;
    goal.handOffCycles = handOff;
    std::vector<Segment> found = RowTilingChoice(chain, goal, live).within(INT64_MAX);
    return found.size() == 1 ? found.front().bands : 0;
  };
  CHECK(bandsOf(1, 0) == 1);
  CHECK(bandsOf(2, 100) == 2);
  CHECK(bandsOf(8, 100) == 8);
}

TEST_CASE("tiles need less memory than maps, and are taken where memory is short") {
  std::vector<ChainStep> chain = threeSteps();
  RowTilingChoice choice(chain, smallest(), live);
  CHECK(choice.plainBytes() == 12800);
  // One row of each map at a time: three of the first map stay, and one of the second.
  CHECK(choice.leastBytes() <= 500);
  CHECK(choice.within(choice.leastBytes()).size() == 1);
  CHECK(choice.within(choice.leastBytes()).front().isFused());
  CHECK(choice.within(choice.leastBytes() - 1).empty());
  // With memory for all of it one op after the other is cheapest: tiles cost calls.
  CHECK(choice.within(12800).size() == 3);
}

TEST_CASE("the more memory, the less work") {
  std::vector<ChainStep> chain = threeSteps();
  RowTilingChoice choice(chain, smallest(), live);
  double before = std::numeric_limits<double>::infinity();
  for (int64_t limit : {500, 1000, 2000, 4000, 8000, 12800}) {
    double cycles = 0;
    for (const Segment &segment : choice.within(limit)) {
      CHECK(segment.liveBytes <= limit);
      cycles += segment.cycles;
    }
    CHECK(cycles <= before);
    before = cycles;
  }
}

TEST_CASE("a limit is raised until the work is in bounds") {
  std::vector<ChainStep> chain = threeSteps();
  RowTilingGoal goal = smallest();
  std::vector<RowTilingChoice> choices;
  choices.emplace_back(chain, goal, live);
  int64_t least = choices.front().leastBytes();
  CHECK(leastLimit(choices, goal, 0) == least);
  CHECK(leastLimit(choices, goal, 5000) == 5000);
  goal.mostWork = 1.05;
  int64_t bounded = leastLimit(choices, goal, 0);
  CHECK(bounded > least);
  double cycles = 0, plain = 0;
  for (const Segment &segment : choices.front().within(bounded)) {
    cycles += segment.cycles;
    plain += segment.plainCycles;
  }
  CHECK(cycles <= 1.05 * plain);
}

TEST_CASE("with a cache, tiles are for maps that it does not hold") {
  std::vector<ChainStep> chain = threeSteps();
  RowTilingGoal goal;
  goal.kernels.perMac = 0.01;
  goal.cacheBytes = 1 << 20;
  CHECK(RowTilingChoice(chain, goal, live).within(1 << 30).size() == 3);
  for (ChainStep &s : chain) {
    s.outputRowBytes = 100000;
    s.outputBytes = 64 * s.outputRowBytes;
  }
  CHECK(RowTilingChoice(chain, goal, live).within(1 << 30).size() == 1);
}

TEST_CASE("what somebody else reads is made as a whole") {
  std::vector<ChainStep> chain = threeSteps();
  chain[1].isReadElsewhere = true;
  for (const Segment &segment : RowTilingChoice(chain, smallest(), live).within(12800))
    CHECK((segment.last != 2 || !segment.isFused()));
}
