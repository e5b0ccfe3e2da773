// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/pool/quantized_average_pool_blocked.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_quantized_average_pool_blocked(KernelCall &call) {
  QuantizedAveragePoolBlockedParams params{
      call.integers("kernel"),        call.integers("strides"),  call.integers("dilations"), call.integers("pads"),
      call.flag("count_include_pad"), call.flag("integer_sums"), call.real("x_scale"),       call.real("y_scale"),
      call.integer("x_zero"),         call.integer("y_zero")};
  return withByte(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<4, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      quantizedAveragePoolBlocked(params, call.in<T, R>(0), call.out<T, R>(0));
      return true;
    });
  });
}
} // namespace sinter
