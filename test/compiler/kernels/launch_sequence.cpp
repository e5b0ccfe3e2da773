// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gaps between launches, and what a launch does while the one before still runs.
#include "kernels/cuda/support/launch_sequence.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
/// Ten SMs at a clock a nanosecond; DRAM 100 GB/s. An early launch saves 1 of 1.5 us.
GpuModel small(double earlyGap = 0.5) {
  GpuModel gpu;
  gpu.sms = 10;
  gpu.gbytesPerSecond = 100;
  gpu.l2GbytesPerSecond = 1000;
  gpu.l2Kbytes = 1000;
  gpu.memoryNanoseconds = 500;
  gpu.l2Nanoseconds = 200;
  gpu.gapMicroseconds = 1.5;
  gpu.earlyGapMicroseconds = earlyGap;
  return gpu;
}
/// So many microseconds, bound by issue.
GpuWork lasting(double microseconds, double weightBytes = 0) {
  GpuWork work;
  work.ahead = 1e9;
  work.instructions = (microseconds - 0.4) * 4000;
  work.clocksOfWarp = 0;
  work.weightBytes = weightBytes;
  return work;
}
} // namespace

TEST_CASE("launches that do not overlap: a gap before each, and all of each behind it") {
  GpuModel gpu = small(0);
  LaunchSequence sequence(gpu);
  for (int i = 0; i < 2; ++i) {
    LaunchSequence::Timed timed = sequence.add({lasting(2, 8500)}, true);
    CHECK(timed.gap == doctest::Approx(1.5));
    CHECK(timed.microseconds == doctest::Approx(2.3)); // the way from DRAM is longer
  }
}

TEST_CASE("an early launch is on its way while the one before runs, and no faster than that") {
  GpuModel gpu = small();
  LaunchSequence sequence(gpu);
  CHECK(sequence.add({lasting(2)}, false).gap == doctest::Approx(1.5));
  CHECK(sequence.add({lasting(0.8)}, false).gap == doctest::Approx(0.5));
  CHECK(sequence.add({lasting(2)}, false).gap == doctest::Approx(1.5 - 0.8));
  sequence.addUnknown();
  CHECK(sequence.add({lasting(2)}, false).gap == doctest::Approx(1.5));
}

TEST_CASE("without room beside the blocks that run, it waits for their end") {
  GpuModel gpu = small();
  for (auto [threads, shared] : {std::pair<int64_t, int64_t>{1536, 0}, {128, 40000}}) {
    LaunchSequence sequence(gpu);
    GpuWork large = lasting(2);
    large.threads = threads;
    large.registers = 16;
    large.sharedBytes = shared;
    sequence.add({large}, false);
    CHECK(sequence.add({large}, false).gap == doctest::Approx(1.5));
  }
  LaunchSequence sequence(gpu);
  GpuWork rounds = lasting(2);
  rounds.sharedBytes = 20000; // three at a time
  rounds.blocks = 40;
  sequence.add({rounds}, false);
  CHECK(sequence.add({lasting(2)}, false).gap == doctest::Approx(1.5));
}

TEST_CASE("weights are on their way before the launch may begin; DRAM gives them in order") {
  GpuModel gpu = small();
  LaunchSequence sequence(gpu);
  sequence.add({lasting(4)}, false);
  CHECK(sequence.add({lasting(2, 85000)}, true).microseconds == doctest::Approx(2)); // 1 us of DRAM
  // It arrives 1.5 us after the first step of the one before, and is bound by 10 us of DRAM and the ways from there.
  LaunchSequence::Timed bound = sequence.add({lasting(2, 850000)}, true);
  CHECK(bound.gap == doctest::Approx(0.5));
  CHECK(bound.microseconds == doctest::Approx(10 + 0.5 + 0.2 - (2 + 0.5 - 1.5)));
  CHECK(bound.bound == "DRAM");
  // All of the next one's come behind it.
  CHECK(sequence.add({lasting(2, 850000)}, false).microseconds > 10);
}
