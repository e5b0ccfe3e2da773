// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program around the model, which uses the driver too: a context, a stream, device memory, capture.
#pragma once

#include "model.h"

#include <vector>

namespace sinter {
namespace {

struct DriverUser {
  CuDriver driver = {};
  CuStream stream = nullptr;
  std::vector<CuPointer> pointers;

  DriverUser() {
    ErrorText text = {};
    CuContext context = nullptr;
    REQUIRE(DriverLoader{driver, text}.open(fakeDriverPath()) == kDone);
    REQUIRE(driver.contextRetain(&context, 0) == 0);
    REQUIRE(driver.contextPush(context) == 0);
    REQUIRE(driver.streamCreate(&stream, 0) == 0);
  }
  ~DriverUser() {
    CuContext context = nullptr;
    for (CuPointer pointer : pointers)
      driver.free(pointer);
    driver.streamDestroy(stream);
    driver.contextPop(&context);
    driver.contextRelease(0);
  }

  static float *pointer(CuPointer place) { return reinterpret_cast<float *>(static_cast<uintptr_t>(place)); }
  CuPointer allocate(size_t bytes) {
    CuPointer place = 0;
    REQUIRE(driver.allocate(&place, bytes) == 0);
    pointers.push_back(place);
    return place;
  }
  CuPointer upload(const float (&values)[kMost]) {
    const CuPointer place = allocate(sizeof(values));
    REQUIRE(driver.copyToDevice(place, values, sizeof(values), stream) == 0);
    REQUIRE(driver.streamSynchronize(stream) == 0);
    return place;
  }
  void download(float (&values)[kMost], CuPointer from) {
    REQUIRE(driver.copyToHost(values, from, sizeof(values), stream) == 0);
    REQUIRE(driver.streamSynchronize(stream) == 0);
  }

  template <class Function>
  Function find(const char *name) {
    return reinterpret_cast<Function>(dlsym(driver.library, name));
  }
  void beginCapture() { CHECK(find<CuResult (*)(CuStream, int)>("cuStreamBeginCapture_v2")(stream, 0) == 0); }
  CuGraphExec endCapture() {
    CuGraph graph = nullptr;
    CuGraphExec exec = nullptr;
    CHECK(find<CuResult (*)(CuStream, CuGraph *)>("cuStreamEndCapture")(stream, &graph) == 0);
    CHECK(driver.graphInstantiate(&exec, graph, nullptr, nullptr, 0) == 0);
    driver.graphDestroy(graph);
    return exec;
  }
  void destroy(CuGraphExec exec) { driver.graphExecDestroy(exec); }
};

} // namespace
} // namespace sinter
