// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/max_pool_blocked.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_max_pool_blocked(KernelCall &call) {
  MaxPoolBlockedParams params{call.integers("kernel"), call.integers("strides"), call.integers("dilations"),
                              call.integers("pads")};
  return withFloat(call.inputs[0], [&](auto type) {
    using T = typename decltype(type)::Type;
    maxPoolBlocked(params, call.in<T, 5>(0), call.out<T, 5>(0));
    return true;
  });
}
} // namespace sinter
