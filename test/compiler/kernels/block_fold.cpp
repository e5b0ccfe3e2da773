// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads share reductions on GPUs, by the cost model: few long results by blocks, many by threads or warps.
#include "kernels/cuda/support/block_fold.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
GpuModel large() {
  GpuModel gpu;
  gpu.sms = 132;
  gpu.clockMhz = 1900;
  gpu.gbytesPerSecond = 4000;
  gpu.l2GbytesPerSecond = 5500;
  gpu.l2Kbytes = 50000;
  gpu.memoryNanoseconds = 600;
  gpu.l2Nanoseconds = 300;
  return gpu;
}
FoldSizes sizes(double results, double length, bool isAlongRows) {
  return {results, results, length, 2, 1, isAlongRows};
}
std::optional<BlockFold> best(const FoldSizes &sizes) { return bestBlockFold(large(), sizes, false); }
double microseconds(const GpuWork &work) { return timeOf(large(), work).microseconds; }
} // namespace

TEST_CASE("few results of many elements are shared by blocks, a tenth of the time") {
  for (bool isAlongRows : {false, true}) {
    FoldSizes few = sizes(32, 12544, isAlongRows);
    std::optional<BlockFold> fold = best(few);
    REQUIRE(fold);
    CHECK(fold->parts() >= 32);
    CHECK((!isAlongRows || fold->columns == 1));
    CHECK(microseconds(blockFoldWork(few, *fold)) < 0.5 * microseconds(plainFoldWork(few)));
  }
  CHECK(microseconds(blockFoldWork(sizes(32, 12544, false), *best(sizes(32, 12544, false)))) <
        0.1 * microseconds(plainFoldWork(sizes(32, 12544, false))));
}

TEST_CASE("many results, and short ones, stay with a thread or a warp each") {
  CHECK(!best(sizes(1e6, 64, false)));
  CHECK(!best(sizes(1e5, 128, true)));
  CHECK(!best(sizes(32, 4, false)));
}

TEST_CASE("a number of results that only calls know is looked at from both ends") {
  FoldSizes one = sizes(1, 256, true);
  CHECK(best(one));
  one.mostResults = 1e6;
  CHECK(!best(one));
}

TEST_CASE("blocks share the elements of a single result where one of them has too much to do") {
  FoldSizes million = sizes(1, 1 << 20, true);
  std::optional<BlockFold> alone = best(million), several = bestBlockFold(large(), million, true);
  REQUIRE((alone && several));
  CHECK(alone->slices == 1);
  CHECK(several->slices > 16);
  CHECK(microseconds(blockFoldWork(million, *several)) < 0.2 * microseconds(blockFoldWork(million, *alone)));
  // Counting takes longer than what is there to do.
  CHECK(bestBlockFold(large(), sizes(8, 1024, true), true)->slices == 1);
}
