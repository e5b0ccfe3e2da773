// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances on several threads, which share nothing but the driver.
#include "model.h"

#include <thread>

using namespace sinter;

namespace {
/// The instances' GPUs are the first and the one of this number.
void runOnTwoThreads(int secondDevice) {
  int failed[2] = {0, 0};
  auto work = [&](int which) {
    TestModel model;
    model.options.device = which * secondDevice;
    HostData data;
    failed[which] += model.create() != 0;
    for (int call = 0; call < 100; ++call) {
      const int n = 1 + (call * 7 + which * 3) % kMost;
      data.x[0] = static_cast<float>(call + which);
      failed[which] += model.run(data.x, data.y, n) != 0;
      for (int i = 0; i < n; ++i)
        failed[which] += data.y[i] != expected(data.x[i], i);
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  CHECK(failed[0] == 0);
  CHECK(failed[1] == 0);
  checkClean();
}
} // namespace

TEST_CASE("two instances on two threads") {
  resetDriver();
  runOnTwoThreads(0);
}

TEST_CASE("two instances on two threads, each on a GPU of its own") {
  resetDevices({{80}, {80}});
  runOnTwoThreads(1);
}
