// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances on several threads, which share nothing but the driver.
#include "model.h"

#include <thread>

using namespace sinter;

TEST_CASE("two instances on two threads") {
  resetDriver();
  int failed[2] = {0, 0};
  auto work = [&](int which) {
    TestModel model;
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
