// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/attention_heads.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_attention_heads(KernelCall &call) {
  AttentionHeadsParams params{call.real("scale"), call.flag("zero_masked_rows")};
  return withFloat(call.inputs[0], [&](auto type) {
    using T = typename decltype(type)::Type;
    for (const HostTensor &input : call.inputs)
      if (input.kind() != call.inputs[0].kind())
        return false;
    if constexpr (kSame<T, double>) {
      return false; // products in float
    } else {
      if (call.inputs.size() == 4)
        attentionHeads(params, call.in<T, 4>(0), call.in<T, 4>(1), call.in<T, 4>(2), call.in<T, 4>(3),
                       call.out<T, 4>(0), call.out<float, 1>(1));
      else
        attentionHeads(params, call.in<T, 4>(0), call.in<T, 4>(1), call.in<T, 4>(2), call.out<T, 4>(0),
                       call.out<float, 1>(1));
      return true;
    }
  });
}
} // namespace sinter
