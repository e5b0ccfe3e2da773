// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/attention/attention_heads.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_attention_heads(KernelCall &call) {
  AttentionHeadsParams params{call.real("scale"), call.flag("zero_masked_rows")};
  return withFloat(call.inputs[0], [&](auto type) {
    using T = typename decltype(type)::Type;
    for (const HostTensor &input : llvm::ArrayRef(call.inputs).take_front(3))
      if (input.kind() != call.inputs[0].kind())
        return false;
    if constexpr (kSame<T, double>) {
      return false; // products in float
    } else {
      auto masked = [&](auto mask) {
        attentionHeads(params, call.in<T, 4>(0), call.in<T, 4>(1), call.in<T, 4>(2), mask, call.out<T, 4>(0),
                       call.out<float, 1>(1));
      };
      if (call.inputs.size() < 4)
        attentionHeads(params, call.in<T, 4>(0), call.in<T, 4>(1), call.in<T, 4>(2), call.out<T, 4>(0),
                       call.out<float, 1>(1));
      else if (call.inputs[3].kind() == call.inputs[0].kind())
        masked(call.in<T, 4>(3));
      else if (call.inputs[3].kind() == ElementKind::F32) // what Attention makes of a mask of conditions
        masked(call.in<float, 4>(3));
      else
        return false;
      return true;
    }
  });
}
} // namespace sinter
