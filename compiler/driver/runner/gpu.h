// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model on a GPU, called as one on the CPU: the instance is made at the first call and lasts to the end.
// -DSINTER_ON_GPU.
#pragma once

#include "cuda_types.h"
#include "list.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#define modelCreate JOIN(SINTER_PREFIX, _create)
#define modelRunWith JOIN(SINTER_PREFIX, _run_with)
#define modelError JOIN(SINTER_PREFIX, _error)

extern "C" {
struct ModelInstance;
int modelCreate(const sinter_cuda_options *options, ModelInstance **instance);
int modelRunWith(ModelInstance *instance, const void *inputs, void *outputs, void *stream);
const char *modelError(const ModelInstance *instance);
}

/// The driver's library; null: the system's.
inline const char *&driverLibrary() {
  static const char *path = nullptr;
  return path;
}

/// Bytes of the device's memory, in the context at hand, for the time until the next are fetched.
inline const char *fetchFromDevice(const void *from, size_t bytes) {
  static List<char> copy;
  static void *library = nullptr, *stream = nullptr;
  const auto find = [](const char *name) {
    void *const function = library ? dlsym(library, name) : nullptr;
    if (!function) {
      std::fprintf(stderr, "runner: the driver has no %s\n", name);
      std::exit(100);
    }
    return function;
  };
  const auto expect = [](int result) {
    if (result != 0) {
      std::fprintf(stderr, "runner: a copy from the GPU failed (%d)\n", result);
      std::exit(100);
    }
  };
  if (!library) {
    library = dlopen(driverLibrary() ? driverLibrary() : "libcuda.so.1", RTLD_NOW);
    expect(reinterpret_cast<int (*)(void **, unsigned)>(find("cuStreamCreate"))(&stream, 1));
  }
  copy.resize(bytes + 1);
  const auto copyToHost = reinterpret_cast<int (*)(void *, uint64_t, size_t, void *)>(find("cuMemcpyDtoHAsync_v2"));
  if (bytes != 0)
    expect(copyToHost(copy.data(), reinterpret_cast<uintptr_t>(from), bytes, stream));
  expect(reinterpret_cast<int (*)(void *)>(find("cuStreamSynchronize"))(stream));
  return copy.data();
}

inline int runOnGpu(const void *inputs, void *outputs, const sinter_env *env) {
  static ModelInstance *instance = nullptr;
  int status = 0;
  if (!instance) {
    sinter_cuda_options options = {};
    options.size = sizeof(options);
    options.driver = driverLibrary();
    options.host_weights = env->weights;
    options.trace = env->trace;
    status = modelCreate(&options, &instance);
  }
  if (status == 0)
    status = modelRunWith(instance, inputs, outputs, nullptr);
  if (status != 0)
    std::fprintf(stderr, "%s\n", modelError(instance));
  return status;
}
