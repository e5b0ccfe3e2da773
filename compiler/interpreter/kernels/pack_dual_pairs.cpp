// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights of templates/dual/dual_conv.h and dual_matmul.h.
#include "interpreter/dual_weights.h"

namespace sinter {
bool interpret_pack_dual_pairs(KernelCall &call) {
  const int64_t *steps = call.integers("steps"); // of DualSteps, in its order
  if (!steps)
    return false;
  return writeDualWords(call, packDualPairs(dualFilters(call), {steps[0], steps[1], steps[2], steps[3], steps[4] != 0},
                                            call.integer("pairs"), dualWeights(call)));
}
} // namespace sinter
