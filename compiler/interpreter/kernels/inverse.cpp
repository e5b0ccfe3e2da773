// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/linear_algebra/inverse.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_inverse(KernelCall &call) {
  return withFloat(call.inputs[0], [&](auto type) {
    return withFloat(call.outputs[1], [&](auto work) {
      using T = typename decltype(type)::Type;
      using E = typename decltype(work)::Type;
      if constexpr (kIsHalf<E>) {
        return false; // the copy that is worked on has at least a float's precision
      } else {
        inverse(call.in<T, 3>(0), call.out<T, 3>(0), call.out<E, 2>(1));
        return true;
      }
    });
  });
}
} // namespace sinter
