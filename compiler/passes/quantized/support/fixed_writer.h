// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a body's quantizations in the integers that fixed_form.h finds for them: requantize_fixed.cpp,
// pack_im2col.cpp.
#pragma once

#include "known_factor.h"

namespace sinter {

/// How a sum of 32 bits is multiplied by its factor: in integers, or in float, for cores whose vectors do that as fast.
enum class RescaleBy { Fixed, Float };

/// What of `body` has such a form. What has none stays float. By Float a sum of 32 bits that becomes an element stays
/// sinter.requantize, without an addend if that is possible.
void writeFixed(const ElementBody &body, RescaleBy how, EvaluationCache &cache);

} // namespace sinter
