// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model as generated code would have it: y = (x * w + a) * b for n numbers, by two kernels, on the fake driver.
#pragma once

#include "runtime-lite/cuda/call.h"
#include "runtime-lite/emulation/driver/fake_driver.h"

#include <doctest/doctest.h>

namespace sinter {
namespace {

constexpr int kMost = 64;

/// A struct among a kernel's arguments.
struct Line {
  int64_t n;
  float a, b;
};

inline const char *fakeDriverPath() { return SINTER_FAKE_DRIVER; }

inline FakeDriver &fakeDriver() {
  static FakeDriver *driver = [] {
    void *library = dlopen(fakeDriverPath(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library);
    auto get = reinterpret_cast<FakeDriver *(*)()>(dlsym(library, "sinterFakeDriver"));
    const bool isFound = get != nullptr;
    REQUIRE(isFound);
    return get();
  }();
  return *driver;
}

template <class T>
T argument(const FakeLaunch &launch, int index) {
  T value;
  memcpy(static_cast<void *>(&value), launch.arguments[index], sizeof(value));
  return value;
}

inline void addKernels() {
  fakeDriver().addKernel({"k0", {8, 8, 8, 8}, [](const FakeLaunch &launch) {
                            const auto *x = argument<const float *>(launch, 0), *w = argument<const float *>(launch, 1);
                            auto *t = argument<float *>(launch, 2);
                            const auto n = argument<int64_t>(launch, 3);
                            for (int64_t i = 0; i < int64_t(launch.grid[0]) * launch.block[0] && i < n; ++i)
                              t[i] = x[i] * w[i];
                          }});
  fakeDriver().addKernel({"k1", {8, 8, sizeof(Line)}, [](const FakeLaunch &launch) {
                            const auto *t = argument<const float *>(launch, 0);
                            auto *y = argument<float *>(launch, 1);
                            const Line line = argument<Line>(launch, 2);
                            for (int64_t i = 0; i < int64_t(launch.grid[0]) * launch.block[0] && i < line.n; ++i)
                              y[i] = (t[i] + line.a) * line.b;
                          }});
}

/// Begins a test, with these GPUs or one.
inline void resetDevices(const std::vector<FakeDevice> &devices) {
  fakeDriver().reset(devices);
  addKernels();
}
inline void resetDriver(const FakeDevice &device = {}) { resetDevices({device}); }

inline const float *hostWeights() {
  struct Weights {
    float values[kMost];
    Weights() {
      for (int i = 0; i < kMost; ++i)
        values[i] = static_cast<float>(i) + 1;
    }
  };
  static const Weights weights;
  return weights.values;
}
inline float expected(float x, int i) { return (x * (static_cast<float>(i) + 1) + 3) * 2; }

struct TestModel {
  DeviceImage images[2] = {{80, false, true, "cubin sm_80"}, {80, true, false, "ptx sm_80"}};
  DeviceKernel kernels[2] = {{"k0", 0}, {"k1", 64 * 1024}};
  DeviceModel model = {images, 2, kernels, 2, kMost * 4, kMost * 4, kMost * 4, 2 * kMost * 4, hostWeights()};
  sinter_cuda_options options = {
      sizeof(sinter_cuda_options), fakeDriverPath(), 0, 0, nullptr, nullptr, nullptr, 0, 0, 0, nullptr};
  DeviceStorage<2, 4, 9, 7, 1> storage = {};

  ~TestModel() { storage.instance.close(); }

  int create() {
    int status = storage.open(model, options);
    if (status == kDone && !options.plain_launches && !options.trace)
      status = record(nullptr, nullptr, kMost, nullptr, DeviceCall::Prepare);
    if (status != kDone)
      storage.instance.close();
    return status;
  }
  int run(const float *x, float *y, int64_t n = kMost, void *stream = nullptr) {
    return record(x, y, n, stream, DeviceCall::Run);
  }
  std::string error() const { return storage.instance.error.text; }

private:
  int record(const float *x, float *y, int64_t n, void *stream, DeviceCall::Purpose purpose) {
    DeviceCall call(storage.instance, stream, purpose);
    const size_t bytes = static_cast<size_t>(n) * 4;
    const float *in = call.input(x, 0, bytes);
    float *out = call.output(y, kMost * 4, bytes);
    const Extent grid = {(n + 31) / 32}, block = {32};
    float *t = call.arena<float>(0);
    call.launch(0, grid, block, 0, in, call.weights<float>(0), t, n);
    call.traced(0, t);
    call.launch(1, grid, block, 60 * 1024, t, out, Line{n, 3, 2});
    call.traced(1, out);
    return call.finish();
  }
};

struct HostData {
  float x[kMost], y[kMost];
  HostData() {
    for (int i = 0; i < kMost; ++i) {
      x[i] = static_cast<float>(i % 7) - 3;
      y[i] = -1;
    }
  }
  /// The first n are right, the others untouched.
  void checkOutput(int n = kMost) const {
    for (int i = 0; i < kMost; ++i) {
      CAPTURE(i);
      CHECK(y[i] == (i < n ? expected(x[i], i) : -1));
    }
  }
};

/// Nothing is left, nothing was done wrong.
inline void checkClean() {
  CHECK(fakeDriver().live().sum() == 0);
  CHECK(fakeDriver().contextDepth() == 0);
  for (const std::string &mistake : fakeDriver().mistakes())
    FAIL_CHECK(mistake);
}

} // namespace
} // namespace sinter
