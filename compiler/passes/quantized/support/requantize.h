// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of a body that end in an integer, followed back to the integers that they come from: requantize_fixed.cpp.
#pragma once

#include "known_factor.h"

namespace sinter {

/// How a sum is multiplied by its factor: as sinter.apply "rescale", or by one float product and rounding.
enum class RescaleBy { Fixed, Float };

/// Rewrites the conversions of `body` that can be said in integers; whether there were any.
bool requantize(const ElementBody &body, RescaleBy how, EvaluationCache &cache);

} // namespace sinter
