// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model of CPUs: times grow with what is done, and are those of the slower of arithmetic and memory.
#include "kernels/kernel_time.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {
Target machine() {
  Target target;
  target.l2Kbytes = 1024;
  target.bytesPerCycle = 8;
  target.machine.clockGhz = 2;
  target.machine.l3Kbytes = 8192;
  target.machine.memoryBytesPerCycle = 4;
  return target;
}
double microseconds(KernelLoad load) { return kernelTime(machine(), load)->microseconds; }
} // namespace

TEST_CASE("without a clock there is no time") {
  Target target = machine();
  target.machine.clockGhz = 0;
  CHECK(!kernelTime(target, {1000, 1000, 0, 1000, 1}));
}

TEST_CASE("arithmetic alone: its cycles and a call, at the clock") {
  KernelLoad load{2e6};
  CHECK(microseconds(load) == doctest::Approx((2e6 + kCallCycles) / 2000));
  CHECK(!kernelTime(machine(), load)->bound);
}

TEST_CASE("more of anything never takes less") {
  double last = 0;
  for (double bytes = 1024; bytes < 1 << 28; bytes *= 2) {
    double now = microseconds({0, bytes, 0, bytes, 1});
    CHECK(now > last);
    last = now;
  }
  CHECK(microseconds({1e6, 1e6, 0, 1e6, 1}) <= microseconds({1e6, 1e6, 1e6, 2e6, 1}));
  CHECK(microseconds({1e6}) < microseconds({2e6}));
}

TEST_CASE("data bound by the level that holds them: weights by the whole net, maps by the kernel") {
  CHECK(*kernelTime(machine(), {0, 8 << 10, 0, 1e9, 1})->bound == MemoryLevel::L1);
  CHECK(*kernelTime(machine(), {0, 256 << 10, 0, 1e9, 1})->bound == MemoryLevel::L2);
  CHECK(*kernelTime(machine(), {0, 2 << 20, 0, 1e9, 1})->bound == MemoryLevel::Behind);
  CHECK(*kernelTime(machine(), {0, 64, 8 << 10, 1e9, 1})->bound == MemoryLevel::Memory);
}

TEST_CASE("threads share arithmetic, and wait for each other") {
  CHECK(microseconds({2e6, 0, 0, 0, 2}) ==
        doctest::Approx((1e6 + kCallCycles) / 2000 + machine().machine.handoffMicroseconds));
}
