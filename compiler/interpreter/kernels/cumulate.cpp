// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/linear_algebra/cumulate.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_cumulate(KernelCall &call) {
  CumulateParams params{call.flag("product"), call.flag("exclusive"), call.flag("reverse")};
  const int64_t axis = call.inputs[1].integerAt(0);
  const View<const int64_t, 0> axisView{&axis};
  return withNumber(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<1, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      return call.succeeds(cumulate(params, call.in<T, R>(0), axisView, call.out<T, R>(0)));
    });
  });
}
} // namespace sinter
