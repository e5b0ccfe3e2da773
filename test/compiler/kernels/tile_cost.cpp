// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What products of bytes take in tile registers, and when that is less than by dot products.
#include "kernels/dot4/support/tile_cost.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
Target named(const char *name) {
  std::string problem;
  std::optional<Target> target = findTarget(name, problem);
  REQUIRE_MESSAGE(target.has_value(), problem);
  return *target;
}
TileProduct product(int64_t rows, int64_t n, int64_t k) { return {1, 1, rows, n, 1, k}; }
} // namespace

TEST_CASE("cycles of blocks of tiles") {
  Target target = named("x86-64-v4+vnni+amx-int8");
  // Two tiles by two: each step 64 cycles, then the last product and four stores; registers are configured and
  // released.
  CHECK(cyclesInTiles(target, product(32, 32, 768)) == doctest::Approx(12 * 64 + 52 + 4 * 16 + 204 + 13));
  // Eight rows by two pairs of tiles: steps wait for sums.
  CHECK(cyclesInTiles(target, product(8, 64, 128)) == doctest::Approx(2 * (2 * 52 + 52 + 2 * 16) + 204 + 13));
  // A rest of rows is a configuration of its own.
  CHECK(*cyclesInTiles(target, product(40, 32, 64)) > *cyclesInTiles(target, product(32, 32, 64)) + 204);
  CHECK(!cyclesInTiles(target, product(32, 32, 27)));
  CHECK(!cyclesInTiles(named("x86-64-v4+vnni"), product(32, 32, 64)));
}

TEST_CASE("few rows and small products stay with dot products") {
  Target target = named("x86-64-v4+vnni+amx-int8");
  CHECK(isForTiles(target, product(128, 768, 768)));
  CHECK(isForTiles(target, product(16, 384, 384)));
  CHECK(!isForTiles(target, product(1, 384, 384)));
  CHECK(!isForTiles(target, product(2, 384, 384)));
  CHECK(!isForTiles(target, product(16, 16, 16)));
  CHECK(!isForTiles(target, product(64, 64, 27)));   // no steps
  CHECK(!isForTiles(target, product(64, 64, 2164))); // 541 fours are no steps but of one
}
