// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/selection/non_zero.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_non_zero(KernelCall &call) {
  return withElement(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<1, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      nonZero(call.in<T, R>(0), call.out<int64_t, 2>(0), call.out<int64_t, 0>(1));
      return true;
    });
  });
}
} // namespace sinter
