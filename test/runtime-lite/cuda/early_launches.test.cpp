// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which launches of a graph begin before the one in front has ended: kernels behind kernels, of code for sm_90 on,
// where the driver has such edges. Results do not depend on it.
#include "model.h"

using namespace sinter;

namespace {
int earlyLaunches(int sm, int cubin, int ptx) {
  resetDriver({sm, false});
  int edges = 0;
  {
    TestModel model;
    const std::string ofCubin = "cubin sm_" + std::to_string(cubin), ofPtx = "ptx sm_" + std::to_string(ptx);
    model.images[0] = {cubin, false, true, ofCubin.c_str()};
    model.images[1] = {ptx, true, false, ofPtx.c_str()};
    REQUIRE(model.create() == 0);
    edges = fakeDriver().calls("cuGraphAddDependencies_v2");
    HostData data;
    for (const int n : {40, 64}) {
      CHECK(model.run(data.x, data.y, n) == 0);
      data.checkOutput(n);
    }
  }
  checkClean();
  return edges;
}
} // namespace

TEST_CASE("a kernel behind a kernel") {
  CHECK(earlyLaunches(90, 90, 80) == 1); // of two; the first is behind a copy
  CHECK(earlyLaunches(120, 80, 90) == 1);
}

TEST_CASE("code that does not wait by itself") {
  CHECK(earlyLaunches(80, 80, 80) == 0);
  CHECK(earlyLaunches(90, 80, 80) == 0); // the PTX of sm_80
}
