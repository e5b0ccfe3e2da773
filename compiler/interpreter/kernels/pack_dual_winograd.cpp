// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of templates/dual/dual_winograd.h.
#include "interpreter/dual_weights.h"

namespace sinter {
bool interpret_pack_dual_winograd(KernelCall &call) {
  return writeDualWords(call, packDualWinograd(dualFilters(call), call.integer("channels"), dualWeights(call)));
}
} // namespace sinter
