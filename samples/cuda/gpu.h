/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* As much of CUDA's driver as a program needs that has a stream and memory of its own, opened as the net opens it, so
 * that this sample builds without a toolkit. A program that uses CUDA's runtime has cudaStream_t and cudaMalloc
 * instead.
 */
#ifndef GPU_H
#define GPU_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct Gpu {
  void *library;
  int device;
  int (*init)(unsigned flags);
  int (*deviceGet)(int *device, int number);
  int (*contextRetain)(void **context, int device);
  int (*contextRelease)(int device);
  int (*contextPush)(void *context);
  int (*contextPop)(void **context);
  int (*streamCreate)(void **stream, unsigned flags);
  int (*streamDestroy)(void *stream);
  int (*synchronize)(void *stream);
  int (*allocate)(void **memory, size_t bytes);
  int (*release)(void *memory);
  int (*toDevice)(void *to, const void *from, size_t bytes, void *stream);
  int (*toHost)(void *to, const void *from, size_t bytes, void *stream);
};

/* Device pointers are numbers of 64 bits to the driver, and pointers here: the same on the machines that have GPUs. */
static inline int openGpu(struct Gpu *gpu, const char *driver) {
  const struct {
    const char *name;
    void *function;
  } needed[] = {
      {"cuInit", &gpu->init},
      {"cuDeviceGet", &gpu->deviceGet},
      {"cuDevicePrimaryCtxRetain", &gpu->contextRetain},
      {"cuDevicePrimaryCtxRelease_v2", &gpu->contextRelease},
      {"cuCtxPushCurrent_v2", &gpu->contextPush},
      {"cuCtxPopCurrent_v2", &gpu->contextPop},
      {"cuStreamCreate", &gpu->streamCreate},
      {"cuStreamDestroy_v2", &gpu->streamDestroy},
      {"cuStreamSynchronize", &gpu->synchronize},
      {"cuMemAlloc_v2", &gpu->allocate},
      {"cuMemFree_v2", &gpu->release},
      {"cuMemcpyHtoDAsync_v2", &gpu->toDevice},
      {"cuMemcpyDtoHAsync_v2", &gpu->toHost},
  };
  void *context = NULL;
  gpu->library = dlopen(driver ? driver : "libcuda.so.1", RTLD_NOW);
  if (!gpu->library)
    return 0;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
    void *found = dlsym(gpu->library, needed[i].name);
    if (!found)
      return 0;
    *(void **)needed[i].function = found;
  }
  return gpu->init(0) == 0 && gpu->deviceGet(&gpu->device, 0) == 0 && gpu->contextRetain(&context, gpu->device) == 0 &&
         gpu->contextPush(context) == 0;
}

static inline void closeGpu(struct Gpu *gpu) {
  void *context = NULL;
  gpu->contextPop(&context);
  gpu->contextRelease(gpu->device);
  dlclose(gpu->library);
}

#endif
