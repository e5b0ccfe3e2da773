// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening the driver's library at run time: programs start, and say what is missing, where there is none.
#pragma once

#include "runtime-lite/cuda/errors.h"

#include <dlfcn.h>

namespace sinter {
namespace {

struct DriverLoader {
  CuDriver &driver;
  ErrorText &text;

  /// RTLD_NODELETE: a driver does not bear being unloaded and loaded again.
  Status open(const char *path) {
    driver.library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!driver.library) {
      const char *reason = dlerror();
      text.append("no CUDA driver: ");
      text.append(reason ? reason : "dlopen failed");
      return kDevice;
    }
    bool isWhole = true;
#define SINTER_CUDA_FIND(kind, member, symbol, older, parameters)                                                      \
  isWhole = find(driver.member, symbol, older, Kind::kind) && isWhole;
    SINTER_CUDA_DRIVER(SINTER_CUDA_FIND)
#undef SINTER_CUDA_FIND
    return isWhole ? kDone : kDevice;
  }

private:
  enum class Kind { required, optional };

  template <class Function>
  bool find(Function &function, const char *symbol, const char *older, Kind kind) {
    void *found = dlsym(driver.library, symbol);
    if (!found && older)
      found = dlsym(driver.library, older);
    memcpy(static_cast<void *>(&function), static_cast<const void *>(&found),
           sizeof(function)); // ISO C++ has no cast for it
    if (found || kind == Kind::optional)
      return true;
    text.append(text.text[0] ? ", " : "the CUDA driver lacks ");
    text.append(symbol);
    return false;
  }
};

} // namespace
} // namespace sinter
