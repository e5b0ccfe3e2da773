// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The step function of a quantized contraction as a rescaling, which kernels compute in a few instructions: in float,
// as it is defined, or by one multiplication of integers where that is proved to be the same for every sum that occurs.
#pragma once

#include "step_function.h"

namespace sinter {

/// element = limited(zero + rounded((sum + bias) * factor)).
struct Rescaling {
  int32_t bias;
  float factor;                 ///< with ties to even: Rescale::defined of templates/quantized/rescale.h
  std::optional<int32_t> fixed; ///< the factor times 2^32, ties up: Rescale::proved, positive
};
/// The rescaling that equals `function` for all sums of at most `bound`; nothing where there is none.
std::optional<Rescaling> rescalingOf(const StepFunction &function, int64_t zero, int64_t low, int64_t high,
                                     int64_t bound);

} // namespace sinter
