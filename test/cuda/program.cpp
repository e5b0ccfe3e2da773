// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host side of a program for CUDA, as generated code has it: create, run, error, destroy.
#include "runtime-lite/cuda/call.h"

#include <stdlib.h>

using namespace sinter;

namespace {
const DeviceImage images[] = {{87, false, false, "cubin"}};
const DeviceKernel kernels[] = {{"k0", 0}};
const DeviceModel model = {images, 1, kernels, 1, 1024, 0, 0, 512, nullptr};

struct Instance {
  DeviceStorage<1, 3, 8, 8, 1> storage;
};

int record(DeviceInstance &instance, const float *x, float *y, int64_t n, void *stream, DeviceCall::Purpose purpose) {
  DeviceCall call(instance, stream, purpose);
  const float *in = call.input(x, 0, 256);
  float *out = call.output(y, 256, 256);
  float *t = call.arena<float>(0);
  call.copy(t, in, 256);
  call.launch(0, {(n + 63) / 64}, {64}, 0, t, out, n);
  return call.finish();
}
} // namespace

extern "C" {
int kws_create(const sinter_cuda_options *options, void **made) {
  auto *instance = static_cast<Instance *>(calloc(1, sizeof(Instance)));
  *made = instance;
  if (!instance)
    return 4;
  int status = instance->storage.open(model, *options);
  if (status == 0)
    status = record(instance->storage.instance, nullptr, nullptr, 64, nullptr, DeviceCall::Prepare);
  return status;
}
int kws_run(void *instance, const float *x, float *y, int64_t n, void *stream) {
  return record(static_cast<Instance *>(instance)->storage.instance, x, y, n, stream, DeviceCall::Run);
}
const char *kws_error(const void *instance) {
  return static_cast<const Instance *>(instance)->storage.instance.error.text;
}
void kws_destroy(void *instance) {
  if (instance)
    static_cast<Instance *>(instance)->storage.instance.close();
  free(instance);
}
}
