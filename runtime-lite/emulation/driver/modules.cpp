// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules. An image is a cubin, of which only the SM is read, or a text "cubin sm_80" or "ptx sm_80"; a module has all
// kernels that are registered.
#include "state.h"

#include <cstdlib>
#include <cstring>

using namespace sinter;
using namespace sinter::fake;

namespace {
/// The SM of a cubin; 0 for what is none. Its ELF header has it in other bits since the ABI's version 8.
int smOf(const unsigned char *image) {
  if (memcmp(image, "\177ELF", 4) == 0) {
    unsigned flags = 0;
    memcpy(&flags, image + 48, sizeof(flags));
    return static_cast<int>(image[8] >= 8 ? flags >> 8 & 0xff : flags & 0xff);
  }
  const char *text = reinterpret_cast<const char *>(image);
  return strncmp(text, "cubin sm_", 9) == 0 ? atoi(text + 9) : 0;
}

/// Whether the GPU runs it, by the programming guide's rules of compatibility.
CuResult checkImage(const FakeDevice &device, const void *image) {
  const char *text = static_cast<const char *>(image);
  if (strncmp(text, "ptx sm_", 7) == 0)
    return atoi(text + 7) <= device.sm ? kSuccess : kInvalidPtx;
  const int sm = smOf(static_cast<const unsigned char *>(image));
  if (sm == 0)
    return kInvalidImage;
  const bool isOlder = !device.isIntegrated && sm / 10 == device.sm / 10 && sm < device.sm;
  return sm == device.sm || isOlder ? kSuccess : kNoBinary;
}
} // namespace

extern "C" {
#pragma GCC visibility push(default)

CuResult cuModuleLoadDataEx(CuModule *module, const void *image, unsigned count, int *options, void **values) {
  FAKE_ENTER("cuModuleLoadDataEx", true)
  if (const CuResult result = checkImage(fake.current()->device, image)) {
    for (unsigned i = 0; i < count; ++i)
      if (result == kInvalidPtx && options[i] == kCuErrorLogBuffer)
        strcpy(static_cast<char *>(values[i]), "ptxas: too new");
    return result;
  }
  auto made = std::make_unique<Module>(Module{fake.current(), {}});
  for (const auto &kernel : fake.kernels) {
    auto function = std::make_unique<Function>();
    function->kernel = kernel.get();
    made->functions[kernel->name] = std::move(function);
  }
  *module = reinterpret_cast<CuModule>(made.get());
  fake.modules[made.get()] = std::move(made);
  return kSuccess;
}

CuResult cuModuleUnload(CuModule module) {
  FAKE_ENTER("cuModuleUnload", true)
  auto found = fake.modules.find(module);
  if (found == fake.modules.end())
    return fake.mistake("a module was unloaded that is none", kInvalidHandle);
  if (!fake.isOwn(found->second->owner, "a module"))
    return kInvalidHandle;
  fake.modules.erase(found);
  return kSuccess;
}

CuResult cuModuleGetFunction(CuFunction *function, CuModule module, const char *name) {
  FAKE_ENTER("cuModuleGetFunction", true)
  auto found = fake.modules.find(module);
  if (found == fake.modules.end())
    return fake.mistake("an unknown module", kInvalidHandle);
  if (!fake.isOwn(found->second->owner, "a module"))
    return kInvalidHandle;
  auto known = found->second->functions.find(name);
  if (known == found->second->functions.end())
    return kNotFound;
  *function = reinterpret_cast<CuFunction>(known->second.get());
  return kSuccess;
}

CuResult cuFuncSetAttribute(CuFunction function, int attribute, int value) {
  FAKE_ENTER("cuFuncSetAttribute", true)
  if (attribute != kCuMaxDynamicShared)
    return fake.mistake("an attribute that the fake driver does not know", kInvalidValue);
  reinterpret_cast<Function *>(function)->maxDynamicShared = value;
  return kSuccess;
}

CuResult cuFuncLoad(CuFunction) {
  FAKE_ENTER("cuFuncLoad", true)
  return kSuccess;
}

#pragma GCC visibility pop
}
