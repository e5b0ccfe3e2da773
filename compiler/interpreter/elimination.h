// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of templates of linear algebra that eliminate a matrix in a copy: the second output, which has at least a
// float's precision.
#pragma once

#include "interpreter/kernel_call.h"

namespace sinter {

/// call(type, work): of the matrices' elements, and of the copy's. False where there is no such kernel.
template <class Call>
bool eliminated(KernelCall &kernel, Call call) {
  return withFloat(kernel.inputs[0], [&](auto type) {
    return withFloat(kernel.outputs[1], [&](auto work) {
      if constexpr (kIsHalf<typename decltype(work)::Type>) {
        return false;
      } else {
        call(type, work);
        return true;
      }
    });
  });
}

} // namespace sinter
