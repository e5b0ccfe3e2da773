// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/selection/unique.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_unique(KernelCall &call) {
  UniqueParams params{call.flag("sorted")};
  return withElement(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    unique(params, call.in<T, 2>(0), call.out<int64_t, 1>(0), call.out<int64_t, 1>(1), call.out<int64_t, 1>(2),
           call.out<int64_t, 0>(3), call.out<int64_t, 1>(4));
    return true;
  });
}
} // namespace sinter
