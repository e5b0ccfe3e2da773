// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of GPUs on plain numbers: what a launch waits for, one bound at a time, and which tiles follow.
#include "kernels/cuda/support/tile_choice.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
/// Ten SMs at a clock a nanosecond; DRAM 100 GB/s, L2 1000.
GpuModel small() {
  GpuModel gpu;
  gpu.sms = 10;
  gpu.clockMhz = 1000;
  gpu.gbytesPerSecond = 100;
  gpu.l2GbytesPerSecond = 1000;
  gpu.l2Kbytes = 1000;
  gpu.memoryNanoseconds = 500;
  gpu.l2Nanoseconds = 200;
  gpu.matrixPerClock = 1000;
  gpu.copiesAsynchronously = true;
  return gpu;
}
double microseconds(const GpuWork &work) { return timeOf(small(), work).microseconds; }
std::string boundOf(const GpuWork &work) { return timeOf(small(), work).bound.str(); }

GpuProduct product(int64_t m, int64_t n, int64_t k) {
  GpuProduct product;
  product.sizes = {1, m, n, k, m};
  product.elementBytes = 2;
  product.weightBytes = 2.0 * double(n * k);
  product.mapBytes = 2.0 * double(m * k + m * n);
  return product;
}
llvm::ArrayRef<GpuTile> tilesOfHalves() {
  static mlir::MLIRContext context;
  return matrixTiles(mlir::Float16Type::get(&context), false);
}
std::vector<TileWay> ways(const GpuProduct &of) {
  Target target;
  target.gpu = small();
  target.gpu.shared = target.gpu.sharedPerBlock = 100 * 1024;
  return waysOf(of, tilesOfHalves(), target);
}
} // namespace

TEST_CASE("a launch of one step fetches, computes, and stores: three ways to L2") {
  CHECK(microseconds({}) == doctest::Approx(3 * 0.2));
  CHECK(boundOf({}) == "latency");
}

TEST_CASE("issue: four instructions a clock, of all blocks of an SM") {
  GpuWork work;
  work.blocks = 20;
  work.steps = 10;
  work.ahead = 1000;
  work.instructions = 4000; // 1 us a step
  work.threads = 1024;
  work.registers = 16;
  CHECK(microseconds(work) == doctest::Approx(0.4 + 2 * 10 * 1.0));
  CHECK(boundOf(work) == "issue");
  work.blocks = 21;                                                 // three for one SM
  CHECK(microseconds(work) == doctest::Approx(0.6 + 3 * 10 * 1.0)); // in two rounds
}

TEST_CASE("few warps issue less: each waits for its own instructions") {
  GpuWork work;
  work.steps = 10;
  work.ahead = 1000;
  work.instructions = 400; // 100 of each of four warps
  CHECK(microseconds(work) == doctest::Approx(0.4 + 10 * 100 * 4.5 / 1000));
  CHECK(boundOf(work) == "a warp's instructions");
  work.threads = 1024; // 32 warps
  CHECK(microseconds(work) == doctest::Approx(0.4 + 10 * 0.1));
  CHECK(boundOf(work) == "issue");
  work.threads = 128;
  work.steps = 0;
  work.once = 400;
  CHECK(microseconds(work) == doctest::Approx(0.4 + 100 * 4.5 / 1000));
}

TEST_CASE("units and shared memory have rates of their own") {
  GpuWork work;
  work.steps = 100;
  work.ahead = 1000;
  work.matrixMacs = 5000;
  CHECK(microseconds(work) == doctest::Approx(0.4 + 100 * 0.005));
  CHECK(boundOf(work) == "matrix unit");
  work.sharedTraffic = 1000; // 10 clocks
  CHECK(boundOf(work) == "shared memory");
  CHECK(microseconds(work) == doctest::Approx(0.4 + 100 * 0.010));
  work.floatMacs = 64 * 20;
  CHECK(boundOf(work) == "float units");
}

TEST_CASE("a block waits for each step, less where more of them are under way") {
  GpuWork work;
  work.steps = 10;
  CHECK(microseconds(work) == doctest::Approx(0.4 + 10 * 0.2));
  work.ahead = 4;
  CHECK(microseconds(work) == doctest::Approx(0.4 + 10 * 0.2 / 4));
  work.weightBytes = 1; // from DRAM, whose way is longer
  CHECK(microseconds(work) == doctest::Approx(0.5 + 0.2 + 10 * 0.5 / 4));
}

TEST_CASE("no faster than DRAM gives the weights, and L2 what all blocks fetch") {
  GpuWork work;
  work.weightBytes = 850e3;
  CHECK(microseconds(work) == doctest::Approx(0.5 + 0.2 + 10));
  CHECK(boundOf(work) == "DRAM");
  work = {};
  work.blocks = 100;
  work.steps = 1;
  work.ahead = 100;
  work.fetched = 1e5;
  CHECK(boundOf(work) == "an SM's part of L2");
  work.blocks = 10;
  work.fetched = 64;
  work.mapBytes = 400e3; // twice of it is in L2
  CHECK(microseconds(work) < 1);
  work.mapBytes = 850e3; // not twice
  CHECK(microseconds(work) == doctest::Approx(0.5 + 0.2 + 10));
}

TEST_CASE("an SM takes what it does not hold in rounds") {
  GpuWork work;
  work.blocks = 100;
  work.threads = 512;
  work.registers = 128; // one block of them
  CHECK(residentBlocks(small(), work) == 1);
  CHECK(microseconds(work) == doctest::Approx(10 * 0.2 + 10 * 0.2 + 0.2));
  work.registers = 32;
  CHECK(residentBlocks(small(), work) == 4);
  work.blocks = 20;
  CHECK(residentBlocks(small(), work) == 2);
}

TEST_CASE("side by side: all blocks, all bytes, the longer steps") {
  GpuWork a, b;
  a.blocks = 3, b.blocks = 4;
  a.steps = 5, b.steps = 2;
  a.weightBytes = 10, b.weightBytes = 20;
  GpuWork both = sideBySide(a, b);
  CHECK(both.blocks == 7);
  CHECK(both.steps == 5);
  CHECK(both.weightBytes == 30);
}

TEST_CASE("tiles: large ones for many outputs, small ones for few; none that an SM does not hold") {
  std::vector<TileWay> many = ways(product(4096, 4096, 512)), few = ways(product(32, 128, 4096));
  CHECK(many.front().tile->rows * many.front().tile->columns == 128 * 128);
  CHECK(few.front().tile->rows == 32);
  for (const TileWay &way : many)
    CHECK(way.tile->sharedBytes <= 100 * 1024);
  CHECK(many.size() < tilesOfHalves().size());
  CHECK(std::is_sorted(few.begin(), few.end(),
                       [](const TileWay &a, const TileWay &b) { return a.microseconds < b.microseconds; }));
}
