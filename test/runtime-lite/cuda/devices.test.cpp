// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances on several GPUs of one process: each has the code of its own GPU, its own memory and stream, and an error
// of one is none of the other's.
#include "user.h"

using namespace sinter;

namespace {
struct Pair {
  TestModel first, second;
  Pair() { second.options.device = 1; }
};
} // namespace

TEST_CASE("instances on two GPUs, in turns") {
  resetDevices({{80}, {90}});
  Pair models;
  REQUIRE(models.first.create() == 0);
  REQUIRE(models.second.create() == 0);
  CHECK(models.second.storage.instance.device == 1);
  CHECK(models.first.storage.instance.context != models.second.storage.instance.context);
  for (int n : {kMost, 3, 7}) {
    HostData one, two;
    CHECK(models.first.run(one.x, one.y, n) == 0);
    CHECK(models.second.run(two.x, two.y, n) == 0);
    one.checkOutput(n);
    two.checkOutput(n);
    CHECK(fakeDriver().contextDepth() == 0);
  }
  models.first.storage.instance.close();
  HostData data;
  CHECK(models.second.run(data.x, data.y) == 0);
  data.checkOutput();
  models.second.storage.instance.close();
  checkClean();
}

TEST_CASE("one of the GPUs has no code") {
  resetDevices({{80}, {70}});
  Pair models;
  REQUIRE(models.first.create() == 0);
  CHECK(models.second.create() == 6);
  CHECK(models.second.error() == "the program has no device code for this GPU, which is an sm_70");
  HostData data;
  CHECK(models.first.run(data.x, data.y) == 0);
  data.checkOutput();
  models.first.storage.instance.close();
  checkClean();
}

TEST_CASE("one of the GPUs fails for good") {
  resetDevices({{80}, {80}});
  Pair models;
  REQUIRE(models.first.create() == 0);
  REQUIRE(models.second.create() == 0);
  HostData data;
  fakeDriver().failAt("cuStreamSynchronize", 1, 700);
  CHECK(models.first.run(data.x, data.y) == 7);
  CHECK(models.first.run(data.x, data.y) == 7);
  CHECK(models.second.run(data.x, data.y) == 0);
  data.checkOutput();
}

TEST_CASE("the current context is the second GPU's") {
  resetDevices({{80}, {80}});
  CuDriver driver = {};
  ErrorText text = {};
  CuContext context = nullptr;
  REQUIRE(DriverLoader{driver, text}.open(fakeDriverPath()) == kDone);
  REQUIRE(driver.contextRetain(&context, 1) == 0);
  REQUIRE(driver.contextPush(context) == 0);
  {
    Pair models; // the first one's GPU is not the current one
    models.second.options = models.first.options;
    models.second.options.current_device = 1;
    REQUIRE(models.first.create() == 0);
    REQUIRE(models.second.create() == 0);
    CHECK(models.first.storage.instance.device == 0);
    CHECK(models.second.storage.instance.device == 1);
    HostData one, two;
    CHECK(models.first.run(one.x, one.y) == 0);
    CHECK(models.second.run(two.x, two.y) == 0);
    one.checkOutput();
    two.checkOutput();
    CHECK(fakeDriver().contextDepth() == 1);
  }
  driver.contextPop(&context);
  driver.contextRelease(1);
  checkClean();
}

TEST_CASE("the fake driver tells what belongs to another GPU") {
  resetDevices({{80}, {80}});
  Pair models;
  REQUIRE(models.first.create() == 0);
  REQUIRE(models.second.create() == 0);
  DriverUser user; // of the first
  CHECK(user.driver.streamSynchronize(models.second.storage.instance.stream) != 0);
  CHECK(user.driver.free(models.second.storage.instance.arena) != 0);
  CHECK(user.driver.moduleUnload(models.second.storage.instance.module) != 0);
  CHECK(fakeDriver().mistakes().size() >= 3);
}
