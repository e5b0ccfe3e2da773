// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For kernels that know of a quantization no more than bias, factor and zero point (templates/quantized/requantize.h).
#pragma once

#include "known_factor.h"

#include "ir/requantize.h"

namespace sinter {

/// What is added to the one product of a sum of 32 bits goes into its bias, in whole steps of 1 / factor, or, where it
/// is a whole number, to the zero point. False where the addend stays, or there is none.
bool settleAddend(Requantize &requantize, const ElementBody &body, mlir::OpBuilder &b, mlir::Location loc,
                  EvaluationCache &cache);

} // namespace sinter
