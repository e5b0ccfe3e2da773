// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/norm/softmax_by_table.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_softmax_by_table(KernelCall &call) {
  SoftmaxByTableParams params{call.integer("steps"), call.integer("y_zero")};
  return withByte(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    softmaxByTable(params, call.in<T, 3>(0), call.in<uint32_t, 1>(1), call.out<T, 3>(0));
    return true;
  });
}
} // namespace sinter
