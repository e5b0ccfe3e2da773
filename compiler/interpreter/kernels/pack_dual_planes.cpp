// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of templates/dual/dual_depthwise.h.
#include "interpreter/dual_weights.h"

namespace sinter {
bool interpret_pack_dual_planes(KernelCall &call) {
  return writeDualWords(call, packDualPlanes(dualFilters(call), call.integer("rows"), dualWeights(call)));
}
} // namespace sinter
