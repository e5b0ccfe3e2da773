// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/pool/max_pool_blocked.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_max_pool_blocked(KernelCall &call) {
  MaxPoolBlockedParams params{call.integers("kernel"), call.integers("strides"), call.integers("dilations"),
                              call.integers("pads")};
  int64_t firstPad = call.inputs.size() > 1 ? *call.in<int64_t, 0>(1).data : params.pads[0];
  return withNumber(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<4, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      maxPoolBlocked(params, call.in<T, R>(0), firstPad, call.out<T, R>(0));
      return true;
    });
  });
}
} // namespace sinter
