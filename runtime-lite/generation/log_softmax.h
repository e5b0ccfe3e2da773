// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logits to logarithms of probabilities, in place: what beams add up.
#pragma once

#include "runtime-lite/generation/fixed_math.h"

namespace sinter {
namespace {

/// `greatest` is that of the logits, and finite. The logarithm of the sum is a whole number's, so that its order does
/// not matter.
SINTER_FUNCTION void logSoftmax(float *logits, int32_t vocab, float greatest) {
  uint64_t total = 0;
  for (int32_t id = 0; id < vocab; ++id)
    total += weightOf(distanceBelow(greatest, logits[id]));
  const float lnTotal = float(double(lnFixed(total, kWeightBits)) * (1.0 / (1 << kDistanceBits)));
  for (int32_t id = 0; id < vocab; ++id)
    logits[id] = logits[id] - greatest - lnTotal;
}

} // namespace
} // namespace sinter
