// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/selection/topk.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_topk(KernelCall &call) {
  TopkParams params{call.integer("axis"), call.flag("largest")};
  return withNumber(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<1, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      topk(params, call.in<T, R>(0), call.out<T, R>(0), call.out<int64_t, R>(1), call.out<int64_t, 1>(2));
      return true;
    });
  });
}
} // namespace sinter
