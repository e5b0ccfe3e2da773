// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tile.h: long sums are as exact as sums of blocks are, and none of their parts is lost at the blocks' ends. Rows are
// split into tiles whose sizes are those that are said to occur.
#include "templates/panels/tile.h"
#include "ulp.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace sinter;
using test::Random;

TEST_CASE("sums of many products") {
  using V = Vec<float, kLanes<float>>;
  constexpr int64_t lanes = kLanesOf<V>;
  for (int64_t k : {0, 1, 127, 128, 129, 256, 1000, 4096}) {
    Random random(static_cast<uint64_t>(k) + 1);
    std::vector<float> a = random.vector(static_cast<size_t>(k + 1)),
                       b = random.vector(static_cast<size_t>(k * lanes + 1));
    V sums[1];
    rankUpdates<1, 1>(a.data(), int64_t(0), int64_t(1), b.data(), lanes, k,
                      Ahead{reinterpret_cast<const char *>(b.data()), 64}, &sums[0]);
    for (int64_t j = 0; j < lanes; ++j) {
      double expected = 0, magnitude = 0;
      for (int64_t p = 0; p < k; ++p) {
        double product = double(a[static_cast<size_t>(p)]) * double(b[static_cast<size_t>(p * lanes + j)]);
        expected += product;
        magnitude += product * product;
      }
      // Rounding errors of n additions grow as a random walk of steps that grow themselves: with the blocks' depth
      // instead of k.
      double additions = double(k < kSumDepth ? k : kSumDepth) + double(k) / double(kSumDepth);
      CHECK(std::fabs(double(sums[0][j]) - expected) <= 1e-9 + 3 * 6e-8 * std::sqrt(additions * magnitude));
    }
  }
}

template <int R, int kTogether>
static void checkTiles(int64_t m) {
  TileSizes seen = 0;
  int64_t next = 0;
  rowTiles<R, kTogether>(m, [&](int64_t rows, int64_t first) {
    REQUIRE(rows > 0);
    REQUIRE(rows <= R);
    REQUIRE(first == next);
    next += rows;
    if (next < m)
      CHECK(rows % kTogether == 0);
    seen |= TileSizes(1) << rows;
  });
  CHECK(next == m);
  CHECK(seen == tileSizes(m, R, kTogether));
}

TEST_CASE("sizes of tiles that occur") {
  for (int64_t m = 0; m < 50; ++m) {
    checkTiles<9, 1>(m);
    checkTiles<6, 2>(m);
    checkTiles<9, 2>(m);
    checkTiles<2, 2>(m);
  }
}
