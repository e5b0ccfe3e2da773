// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/maps/slide_rows.h"
#include "interpreter/kernel_call.h"

namespace sinter {
bool interpret_slide_rows(KernelCall &call) {
  SlideRowsParams params{call.integer("dim")};
  const int64_t shift = call.inputs[0].integerAt(0), keep = call.inputs[1].integerAt(0);
  return withElement(call.outputs[0], false, [&](auto type) {
    using T = typename decltype(type)::Type;
    return withRank<3, 6>(call.outputs[0].rank(), [&](auto rank) {
      slideRows(params, shift, keep, call.out<T, decltype(rank)::rank>(0));
      return true;
    });
  });
}
} // namespace sinter
