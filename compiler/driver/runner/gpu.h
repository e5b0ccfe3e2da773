// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model on a GPU, called as one on the CPU: the instance is made at the first call and lasts to the end.
// -DSINTER_ON_GPU.
#pragma once

#include "cuda_types.h"

#include <cstdio>

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

inline int runOnGpu(const void *inputs, void *outputs, const sinter_env *env) {
  static ModelInstance *instance = nullptr;
  int status = 0;
  if (!instance) {
    sinter_cuda_options options = {};
    options.size = sizeof(options);
    options.driver = driverLibrary();
    options.host_weights = env->weights;
    status = modelCreate(&options, &instance);
  }
  if (status == 0)
    status = modelRunWith(instance, inputs, outputs, nullptr);
  if (status != 0)
    std::fprintf(stderr, "%s\n", modelError(instance));
  return status;
}
