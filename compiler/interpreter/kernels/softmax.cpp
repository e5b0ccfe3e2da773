// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/norm/softmax.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_softmax(KernelCall &call) {
  SoftmaxParams params{call.flag("logarithm")};
  return withFloat(call.inputs[0], [&](auto type) {
    using T = typename decltype(type)::Type;
    softmax(params, call.in<T, 3>(0), call.out<T, 3>(0));
    return true;
  });
}
} // namespace sinter
