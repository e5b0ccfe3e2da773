// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start, devices, contexts, names of errors.
#include "state.h"

using namespace sinter;
using namespace sinter::fake;

namespace {
/// Under two names; neither calls the other, so that tests can take one away.
CuResult releaseContext() {
  FAKE_ENTER("cuDevicePrimaryCtxRelease_v2", false)
  if (fake.retained == 0)
    return fake.mistake("a context was released that nobody had", kInvalidContext);
  if (--fake.retained == 0 && fake.lasting)
    fake.discardContext();
  return kSuccess;
}
} // namespace

extern "C" {
#pragma GCC visibility push(default)

CuResult cuInit(unsigned) {
  FAKE_ENTER("cuInit", false)
  return fake.device.count == 0 ? kNoDevice : kSuccess;
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
  *count = fake.device.count;
  return kSuccess;
}

CuResult cuDeviceGet(CuDevice *device, int number) {
  FAKE_ENTER("cuDeviceGet", false)
  *device = number;
  return number >= 0 && number < fake.device.count ? kSuccess : kInvalidDevice;
}

CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice) {
  FAKE_ENTER("cuDeviceGetAttribute", false)
  switch (attribute) {
  case kCuMajor:
    *value = fake.device.sm / 10;
    return kSuccess;
  case kCuMinor:
    *value = fake.device.sm % 10;
    return kSuccess;
  case kCuIntegrated:
    *value = fake.device.isIntegrated;
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
  *device = 0;
  return kSuccess;
}

CuResult cuDevicePrimaryCtxRetain(CuContext *context, CuDevice) {
  FAKE_ENTER("cuDevicePrimaryCtxRetain", false)
  ++fake.retained;
  *context = primaryContext();
  return kSuccess;
}

CuResult cuDevicePrimaryCtxRelease_v2(CuDevice) { return releaseContext(); }
CuResult cuDevicePrimaryCtxRelease(CuDevice) { return releaseContext(); }

CuResult cuCtxPushCurrent_v2(CuContext context) {
  FAKE_ENTER("cuCtxPushCurrent_v2", false)
  if (context != primaryContext() || fake.retained == 0)
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
