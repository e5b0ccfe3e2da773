// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/linear_algebra/inverse.h"
#include "interpreter/elimination.h"

namespace sinter {
bool interpret_inverse(KernelCall &call) {
  return eliminated(call, [&](auto type, auto work) {
    using T = typename decltype(type)::Type;
    inverse(call.in<T, 3>(0), call.out<T, 3>(0), call.out<typename decltype(work)::Type, 2>(1));
  });
}
} // namespace sinter
