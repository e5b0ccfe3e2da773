// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/selection/scatter_elements.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_scatter_elements(KernelCall &call) {
  ScatterElementsParams params{call.integer("axis"), call.integer("reduction")};
  call.widenIndices(1);
  return withElement(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<1, 6>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      return call.succeeds(
          scatterElements(params, call.in<T, R>(0), call.in<int64_t, R>(1), call.in<T, R>(2), call.out<T, R>(0)));
    });
  });
}
} // namespace sinter
