// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fine an output of a quantized net or of half types can be, and how large one of a bounded function.
#pragma once

#include "conversion.h"

namespace sinter {

/// One step of the quantized tensors that `value` of node IR, an output, is made of: where two programs round
/// differently, this is by how much the output differs. In the output's unit: 1 for one that is an integer itself, the
/// largest scale for floats that are dequantized, also behind operators that do not enlarge differences (movement,
/// softmax, clamps, means). 0 where the output is not of that kind, or a scale is not known.
double outputStep(mlir::Value value, Conversion &conversion);

/// How far apart the values that `value` of node IR, an output, can take lie at most, as a share of the largest: 2^-10
/// for one of float16, or a cast of such to another type, also behind operators that do not enlarge differences. 0
/// where it is made of wider types.
double outputSpacing(mlir::Value value, Conversion &conversion);

/// The most that `value` of node IR, an output, can be by the function that makes it: 1 for Sigmoid, Softmax, Tanh,
/// also behind movement and products of such. Its rounding is a share of this, however small the values of one call
/// are. 0 where it is not bounded so.
double outputRange(mlir::Value value);

} // namespace sinter
