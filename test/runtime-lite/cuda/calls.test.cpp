// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls as graphs and as plain launches: results, and what of the driver they use.
#include "user.h"

#include <algorithm>

using namespace sinter;

namespace {
int called(const char *function) { return fakeDriver().calls(function); }

/// y = x * w, once by one launch and once, in the other program, by one for each half.
struct TwoPrograms {
  TestModel model;
  DeviceStorage<2, 4, 9, 8, 1, 2> storage = {};

  ~TwoPrograms() { storage.instance.close(); }
  int call(const float *x, float *y, int program, DeviceCall::Purpose purpose = DeviceCall::Run) {
    DeviceCall call(storage.instance, nullptr, purpose);
    call.isOf(program);
    const float *in = call.input(x, 0, kMost * 4);
    float *out = call.output(y, kMost * 4, kMost * 4);
    const int64_t n = kMost / (program + 1);
    for (int64_t at = 0; at < kMost; at += n)
      call.launch(0, {n / 32}, {32}, 0, in + at, call.weights<float>(0) + at, out + at, n);
    return call.finish();
  }
};
} // namespace

TEST_CASE("a call with tensors on the host is one graph") {
  resetDriver();
  {
    TestModel model;
    REQUIRE(model.create() == 0);
    HostData data;
    fakeDriver().clearCalls();
    CHECK(model.run(data.x, data.y) == 0);
    data.checkOutput();
    CHECK(called("cuGraphLaunch") == 1);
    CHECK(called("cuLaunchKernel") == 0);
    CHECK(called("cuStreamSynchronize") == 1);
    // Nothing is allocated, loaded or compiled.
    const std::vector<std::string> allowed = {"cuCtxPopCurrent_v2", "cuCtxPushCurrent_v2", "cuGraphLaunch",
                                              "cuPointerGetAttributes", "cuStreamSynchronize"};
    CHECK(fakeDriver().calledFunctions() == allowed);
  }
  checkClean();
}

TEST_CASE("a graph is set to other sizes and pointers") {
  resetDriver();
  {
    TestModel model;
    REQUIRE(model.create() == 0);
    for (int n : {kMost, 33, 1, kMost}) {
      HostData data;
      fakeDriver().clearCalls();
      CHECK(model.run(data.x, data.y, n) == 0);
      data.checkOutput(n);
      CHECK(called("cuGraphLaunch") == 1);
    }
    HostData data; // host tensors are staged: their addresses are no part of the graph
    fakeDriver().clearCalls();
    CHECK(model.run(data.x, data.y) == 0);
    CHECK(called("cuGraphExecKernelNodeSetParams") + called("cuGraphExecMemcpyNodeSetParams") == 0);
    CHECK(model.run(data.x, data.y, 32) == 0);
    CHECK(called("cuGraphExecKernelNodeSetParams") == 2);
    CHECK(called("cuGraphExecMemcpyNodeSetParams") == 2);
    CHECK(called("cuGraphInstantiate_v2") == 0);
  }
  checkClean();
}

TEST_CASE("each program has a graph of its own, which the other's calls leave as it is") {
  resetDriver();
  {
    TwoPrograms two;
    REQUIRE(two.storage.open(two.model.model, two.model.options) == 0);
    for (int program : {0, 1})
      REQUIRE(two.call(nullptr, nullptr, program, DeviceCall::Prepare) == 0);
    for (int program : {1, 0, 1, 1}) {
      HostData data;
      fakeDriver().clearCalls();
      CHECK(two.call(data.x, data.y, program) == 0);
      for (int i = 0; i < kMost; ++i)
        CHECK(data.y[i] == data.x[i] * (static_cast<float>(i) + 1));
      CHECK(called("cuGraphLaunch") == 1);
      CHECK(called("cuLaunchKernel") == 0);
      CHECK(called("cuGraphExecKernelNodeSetParams") + called("cuGraphExecMemcpyNodeSetParams") == 0);
    }
  }
  checkClean();
}

TEST_CASE("tensors on the device are used in place, and only nodes that touch them change") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer x = user.upload(data.x), y = user.upload(data.y), y2 = user.upload(data.y);
    TestModel model;
    model.options.device_tensors = 1;
    REQUIRE(model.create() == 0);
    CHECK(model.run(user.pointer(x), user.pointer(y)) == 0);
    fakeDriver().clearCalls();
    CHECK(model.run(user.pointer(x), user.pointer(y)) == 0);
    CHECK(called("cuGraphExecKernelNodeSetParams") == 0);
    CHECK(model.run(user.pointer(x), user.pointer(y2)) == 0);
    CHECK(called("cuGraphExecKernelNodeSetParams") == 1);
    CHECK(called("cuGraphLaunch") == 2);
    user.download(data.y, y2);
    data.checkOutput();
  }
  checkClean();
}

TEST_CASE("a call on the caller's stream returns at once, unless a tensor is on the host") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer x = user.upload(data.x), y = user.upload(data.y);
    TestModel model;
    model.options.device_tensors = 1;
    REQUIRE(model.create() == 0);
    fakeDriver().clearCalls();
    CHECK(model.run(user.pointer(x), user.pointer(y), kMost, user.stream) == 0);
    CHECK(called("cuStreamSynchronize") == 0);
    CHECK(called("cuGraphLaunch") == 1);
    user.download(data.y, y);
    data.checkOutput();

    HostData mixed;
    fakeDriver().clearCalls();
    CHECK(model.run(user.pointer(x), mixed.y, kMost, user.stream) == 0);
    CHECK(called("cuStreamSynchronize") == 1);
    CHECK(called("cuGraphLaunch") == 0); // the graph is of other copies
    CHECK(called("cuLaunchKernel") == 2);
    mixed.checkOutput();
    CHECK(model.run(mixed.x, user.pointer(y)) == 0);
  }
  checkClean();
}

TEST_CASE("what runs as a graph after plain launches is what was asked for") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer y = user.upload(data.y);
    TestModel model;
    REQUIRE(model.create() == 0);
    CHECK(model.run(data.x, user.pointer(y), 5) == 0);
    CHECK(model.run(data.x, data.y) == 0);
    data.checkOutput();
  }
  checkClean();
}

TEST_CASE("no elements, no launch") {
  resetDriver();
  {
    TestModel model;
    REQUIRE(model.create() == 0);
    HostData data;
    fakeDriver().clearCalls();
    CHECK(model.run(nullptr, nullptr, 0) == 0);
    CHECK(called("cuGraphLaunch") + called("cuLaunchKernel") + called("cuMemcpyHtoDAsync_v2") == 0);
    CHECK(model.run(data.x, data.y) == 0);
    data.checkOutput();
  }
  checkClean();
}

TEST_CASE("no elements where the graph has no copies") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer x = user.upload(data.x), y = user.upload(data.y);
    TestModel model;
    model.options.device_tensors = 1;
    REQUIRE(model.create() == 0);
    fakeDriver().clearCalls();
    CHECK(model.run(user.pointer(x), user.pointer(y), 0) == 0);
    CHECK(called("cuGraphLaunch") + called("cuLaunchKernel") == 0);
    CHECK(model.run(user.pointer(x), user.pointer(y), 7) == 0);
    CHECK(called("cuGraphLaunch") == 1);
    user.download(data.y, y);
    data.checkOutput(7);
  }
  checkClean();
}

TEST_CASE("a call that fails half way leaves nothing running") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer y = user.upload(data.y);
    TestModel model;
    REQUIRE(model.create() == 0);
    fakeDriver().clearCalls();
    fakeDriver().failAt("cuLaunchKernel", 2, 2);
    CHECK(model.run(data.x, user.pointer(y), kMost, user.stream) == 4);
    CHECK(called("cuMemcpyHtoDAsync_v2") == 1);
    CHECK(called("cuStreamSynchronize") == 1);
  }
  checkClean();
}

TEST_CASE("plain launches by option") {
  resetDriver();
  {
    TestModel model;
    model.options.plain_launches = 1;
    REQUIRE(model.create() == 0);
    CHECK(fakeDriver().live().graphs == 0);
    HostData data;
    CHECK(model.run(data.x, data.y, 40) == 0);
    data.checkOutput(40);
    CHECK(called("cuLaunchKernel") == 2);
  }
  checkClean();
}

TEST_CASE("a trace sees what each kernel leaves on the device") {
  resetDriver();
  {
    struct Seen {
      DriverUser user;
      std::vector<std::pair<int, float>> last; ///< call, and the last element that it wrote
      static void call(void *ctx, int kernel, const void *const *outputs, int count) {
        auto *self = static_cast<Seen *>(ctx);
        REQUIRE(count == 1);
        float values[kMost];
        self->user.download(values, reinterpret_cast<uintptr_t>(outputs[0]));
        self->last.emplace_back(kernel, values[kMost - 1]);
      }
    } seen;
    const sinter_trace trace = {Seen::call, &seen};
    TestModel model;
    model.options.trace = &trace;
    REQUIRE(model.create() == 0);
    HostData data;
    fakeDriver().clearCalls();
    CHECK(model.run(data.x, data.y) == 0);
    data.checkOutput();
    CHECK(called("cuGraphLaunch") == 0);
    const float first = data.x[kMost - 1] * kMost;
    CHECK(seen.last == std::vector<std::pair<int, float>>{{0, first}, {1, (first + 3) * 2}});
  }
  checkClean();
}

TEST_CASE("a stream that is captured gets plain launches") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer x = user.upload(data.x), y = user.upload(data.y);
    TestModel model;
    model.options.device_tensors = 1;
    REQUIRE(model.create() == 0);
    user.beginCapture();
    fakeDriver().clearCalls();
    CHECK(model.run(user.pointer(x), user.pointer(y), kMost, user.stream) == 0);
    CHECK(called("cuLaunchKernel") == 2);
    CHECK(called("cuGraphLaunch") + called("cuStreamSynchronize") == 0);
    // Tensors on the host would be read when the graph is made, not when it runs.
    CHECK(model.run(data.x, user.pointer(y), kMost, user.stream) == 7);
    CHECK(model.error() == "a stream that is being captured takes tensors on the device only");
    CHECK(called("cuLaunchKernel") == 2);
    CuGraphExec captured = user.endCapture();
    user.driver.graphLaunch(captured, user.stream);
    user.download(data.y, y);
    data.checkOutput();
    user.destroy(captured);
  }
  checkClean();
}

TEST_CASE("pinned memory is used in place where the caller wishes so") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    void *pinned = nullptr;
    REQUIRE(user.driver.hostAllocate(&pinned, sizeof(data.x), 2) == 0);
    memcpy(pinned, data.x, sizeof(data.x));
    for (int isZeroCopy : {0, 1}) {
      TestModel model;
      model.options.zero_copy = isZeroCopy;
      REQUIRE(model.create() == 0);
      fakeDriver().clearCalls();
      CHECK(model.run(static_cast<float *>(pinned), data.y) == 0);
      data.checkOutput();
      CHECK(called("cuMemcpyHtoDAsync_v2") == 0);
      CHECK(called("cuGraphLaunch") == 1 - isZeroCopy);
    }
    user.driver.hostFree(pinned);
  }
  checkClean();
}

TEST_CASE("device tensors that are not aligned as kernels want it are copied there") {
  resetDriver();
  {
    DriverUser user;
    HostData data;
    const CuPointer x = user.allocate(sizeof(data.x) + 4) + 4, y = user.allocate(sizeof(data.y) + 8) + 8;
    REQUIRE(user.driver.copyToDevice(x, data.x, sizeof(data.x), user.stream) == 0);
    TestModel model;
    model.options.device_tensors = 1;
    REQUIRE(model.create() == 0);
    fakeDriver().clearCalls();
    CHECK(model.run(user.pointer(x), user.pointer(y), 50, user.stream) == 0);
    CHECK(called("cuMemcpyDtoDAsync_v2") == 2);
    CHECK(called("cuStreamSynchronize") == 0);
    REQUIRE(user.driver.copyToHost(data.y, y, 50 * 4, user.stream) == 0);
    REQUIRE(user.driver.streamSynchronize(user.stream) == 0);
    data.checkOutput(50);
  }
  checkClean();
}

TEST_CASE("the caller's context stays current") {
  resetDriver();
  {
    DriverUser user;
    TestModel model;
    REQUIRE(model.create() == 0);
    HostData data;
    CHECK(model.run(data.x, data.y) == 0);
    CHECK(fakeDriver().contextDepth() == 1);
  }
  checkClean();
}

TEST_CASE("a launch that no GPU takes") {
  resetDriver();
  uint64_t words[4] = {};
  void *arguments[4] = {};
  DeviceStep steps[1] = {};
  DeviceSteps list = {steps, 1, 0, words, 4, 0, arguments, 4, 0, false};
  const std::pair<Extent, Extent> large[] = {
      {{int64_t(1) << 31}, {32}}, {{1, 65536}, {32}}, {{1, 1, 65536}, {32}}, {{1}, {32, 32, 2}}};
  for (const auto &[grid, block] : large) {
    list.clear();
    list.launch(0, grid, block, 0, 1);
    CHECK(list.isTooLong);
  }
  list.clear();
  list.launch(0, {0x7fffffff, 65535, 65535}, {32, 32}, 0, 1, Line{});
  CHECK(!list.isTooLong);
  list.launch(0, {1}, {1}, 0);
  CHECK(list.isTooLong);
  list.clear();
  list.launch(0, {1}, {1}, 0, 1, 2, 3, 4, 5);
  CHECK(list.isTooLong);
}

TEST_CASE("a function of the host works on what kernels have made, and they on what it makes") {
  resetDriver();
  {
    TestModel model;
    REQUIRE(model.create() == 0);
    HostData data;
    DeviceCall call(model.storage.instance, nullptr);
    auto *const t = static_cast<float *>(call.pinned());
    const float *const x = call.input(data.x, 0, sizeof(data.x));
    float *const y = call.output(data.y, sizeof(data.x), sizeof(data.y));
    call.launch(0, {2}, {32}, 0, x, call.weights<float>(0), t, int64_t(kMost));
    REQUIRE(call.reach() == 0);
    for (int i = 0; i < kMost; ++i) {
      CHECK(t[i] == data.x[i] * (static_cast<float>(i) + 1));
      t[i] += 3;
    }
    call.launch(1, {2}, {32}, 0, static_cast<const float *>(t), y, Line{kMost, 0, 2});
    CHECK(call.finish() == 0);
    data.checkOutput();
  }
  checkClean();
}

TEST_CASE("what a function of the host returns ends the call, not the instance") {
  resetDriver();
  {
    TestModel model;
    REQUIRE(model.create() == 0);
    HostData data;
    {
      DeviceCall call(model.storage.instance, nullptr);
      REQUIRE(call.reach() == 0);
      CHECK(call.fail(kCapacityExceeded) == kCapacityExceeded);
    }
    CHECK(model.error() == "a function on the host has failed");
    CHECK(model.run(data.x, data.y) == 0);
    data.checkOutput();
  }
  checkClean();
}
