// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fine an output of a quantized net can be.
#pragma once

#include "conversion.h"

namespace sinter {

/// One step of the quantized tensors that `value` of node IR, an output, is made of: where two programs round
/// differently, this is by how much the output differs. In the output's unit: 1 for one that is an integer itself, the
/// largest scale for floats that are dequantized, also behind operators that do not enlarge differences (movement,
/// softmax, clamps, means). 0 where the output is not of that kind, or a scale is not known.
double outputStep(mlir::Value value, Conversion &conversion);

} // namespace sinter
