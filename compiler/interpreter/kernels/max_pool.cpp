// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/pool/max_pool.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_max_pool(KernelCall &call) {
  MaxPoolParams params{call.integers("kernel"), call.integers("strides"), call.integers("dilations"),
                       call.integers("pads")};
  return withNumber(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<3, 5>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      maxPool(params, call.in<T, R>(0), call.out<T, R>(0));
      return true;
    });
  });
}
} // namespace sinter
