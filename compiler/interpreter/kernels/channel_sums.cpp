// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/dual/channel_sums.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_channel_sums(KernelCall &call) {
  const ChannelSumsParams params{call.integer("zero")};
  return withByte(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    channelSums(params, call.in<T, 5>(0), call.out<int32_t, 3>(0));
    return true;
  });
}
} // namespace sinter
