// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/pool/average_pool_blocked.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_average_pool_blocked(KernelCall &call) {
  AveragePoolBlockedParams params{call.integers("kernel"), call.integers("strides"), call.integers("dilations"),
                                  call.integers("pads"), call.flag("count_include_pad")};
  return withFloat(call.inputs[0], [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<4, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      averagePoolBlocked(params, call.in<T, R>(0), call.out<T, R>(0));
      return true;
    });
  });
}
} // namespace sinter
