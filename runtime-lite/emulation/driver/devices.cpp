// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start, devices, contexts, names of errors.
#include "state.h"

using namespace sinter;
using namespace sinter::fake;

namespace {
/// Null where there is no such GPU.
Context *contextOf(State &fake, CuDevice device) {
  return device >= 0 && size_t(device) < fake.contexts.size() ? &fake.contexts[size_t(device)] : nullptr;
}

/// Under two names; neither calls the other, so that tests can take one away.
CuResult releaseContext(CuDevice device) {
  FAKE_ENTER("cuDevicePrimaryCtxRelease_v2", false)
  Context *context = contextOf(fake, device);
  if (!context || context->retained == 0)
    return fake.mistake("a context was released that nobody had", kInvalidContext);
  if (--context->retained == 0 && context->lasting)
    fake.discard(*context);
  return kSuccess;
}
} // namespace

extern "C" {
#pragma GCC visibility push(default)

CuResult cuInit(unsigned) {
  FAKE_ENTER("cuInit", false)
  return fake.contexts.empty() ? kNoDevice : kSuccess;
}

/// A few by their names; the others have none, as on drivers that do not know them.
CuResult cuGetErrorName(CuResult result, const char **name) {
  FAKE_ENTER("cuGetErrorName", false)
  switch (result) {
  case kOutOfMemory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return kSuccess;
  case kNoDevice:
    *name = "CUDA_ERROR_NO_DEVICE";
    return kSuccess;
  case kIllegalAddress:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return kSuccess;
  default:
    *name = nullptr;
    return kInvalidValue;
  }
}

CuResult cuDeviceGetCount(int *count) {
  FAKE_ENTER("cuDeviceGetCount", false)
  *count = int(fake.contexts.size());
  return kSuccess;
}

CuResult cuDeviceGet(CuDevice *device, int number) {
  FAKE_ENTER("cuDeviceGet", false)
  *device = number;
  return contextOf(fake, number) ? kSuccess : kInvalidDevice;
}

CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice device) {
  FAKE_ENTER("cuDeviceGetAttribute", false)
  const Context *context = contextOf(fake, device);
  if (!context)
    return kInvalidDevice;
  switch (attribute) {
  case kCuMajor:
    *value = context->device.sm / 10;
    return kSuccess;
  case kCuMinor:
    *value = context->device.sm % 10;
    return kSuccess;
  case kCuIntegrated:
    *value = context->device.isIntegrated;
    return kSuccess;
  default:
    return fake.mistake("an attribute that the fake driver does not know", kInvalidValue);
  }
}

CuResult cuCtxGetCurrent(CuContext *context) {
  FAKE_ENTER("cuCtxGetCurrent", false)
  *context = contextStack().empty() ? nullptr : contextStack().back();
  return kSuccess;
}

CuResult cuCtxGetDevice(CuDevice *device) {
  FAKE_ENTER("cuCtxGetDevice", true)
  *device = int(fake.current() - fake.contexts.data());
  return kSuccess;
}

CuResult cuDevicePrimaryCtxRetain(CuContext *context, CuDevice device) {
  FAKE_ENTER("cuDevicePrimaryCtxRetain", false)
  Context *retained = contextOf(fake, device);
  if (!retained)
    return kInvalidDevice;
  ++retained->retained;
  *context = handleOf(*retained);
  return kSuccess;
}

CuResult cuDevicePrimaryCtxRelease_v2(CuDevice device) { return releaseContext(device); }
CuResult cuDevicePrimaryCtxRelease(CuDevice device) { return releaseContext(device); }

CuResult cuCtxPushCurrent_v2(CuContext context) {
  FAKE_ENTER("cuCtxPushCurrent_v2", false)
  bool isAlive = false;
  for (Context &each : fake.contexts)
    isAlive = isAlive || (handleOf(each) == context && each.retained > 0);
  if (!isAlive)
    return fake.mistake("a context was pushed that is none", kInvalidContext);
  contextStack().push_back(context);
  return kSuccess;
}

CuResult cuCtxPopCurrent_v2(CuContext *context) {
  FAKE_ENTER("cuCtxPopCurrent_v2", false)
  if (contextStack().empty())
    return fake.mistake("a context was popped, but there is none", kInvalidContext);
  *context = contextStack().back();
  contextStack().pop_back();
  return kSuccess;
}

#pragma GCC visibility pop
}
