// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/pool/max_pool_indices.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_max_pool_indices(KernelCall &call) {
  MaxPoolIndicesParams params{call.integers("kernel"), call.integers("strides"), call.integers("dilations"),
                              call.flag("column_major")};
  return withNumber(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<3, 5>(call.inputs[0].rank(), [&](auto rank) {
      constexpr int R = decltype(rank)::rank;
      maxPoolIndices(params, call.in<T, R>(0), call.in<int64_t, 1>(1), call.out<T, R>(0), call.out<int64_t, R>(1));
      return true;
    });
  });
}
} // namespace sinter
