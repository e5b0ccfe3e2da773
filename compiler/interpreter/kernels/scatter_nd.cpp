// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/selection/scatter_nd.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_scatter_nd(KernelCall &call) {
  ScatterNdParams params{call.integer("reduction")};
  call.widenIndices(1);
  return withElement(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<1, 7>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      return call.succeeds(
          scatterNd(params, call.in<T, R>(0), call.in<int64_t, 2>(1), call.in<T, 2>(2), call.out<T, R>(0)));
    });
  });
}
} // namespace sinter
