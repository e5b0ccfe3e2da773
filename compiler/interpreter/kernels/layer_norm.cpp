// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/norm/layer_norm.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_layer_norm(KernelCall &call) {
  LayerNormParams params{call.real("epsilon"), call.flag("centered")};
  return withFloat(call.inputs[0], [&](auto type) {
    return withFloat(call.inputs[1], [&](auto scale) {
      using T = typename decltype(type)::Type;
      using S = typename decltype(scale)::Type;
      if constexpr (kSame<T, double> != kSame<S, double>) {
        return false; // statistics and parameters have one precision
      } else {
        if (call.inputs.size() == 2)
          layerNorm(params, call.in<T, 2>(0), call.in<S, 1>(1), call.out<T, 2>(0));
        else
          layerNorm(params, call.in<T, 2>(0), call.in<S, 1>(1), call.in<S, 1>(2), call.out<T, 2>(0));
        return true;
      }
    });
  });
}
} // namespace sinter
