// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/norm/quantized_softmax.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_quantized_softmax(KernelCall &call) {
  QuantizedSoftmaxParams params{call.real("x_scale"), call.real("steps"), call.integer("y_zero")};
  return withByte(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    quantizedSoftmax(params, call.in<T, 3>(0), call.out<T, 3>(0));
    return true;
  });
}
} // namespace sinter
