// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales and zero points: scalars, one for each index of an axis, or one for each block along it; and the arithmetic of
// quantizing one element.
#pragma once

#include "lowering.h"

namespace sinter {

/// x with its quantization parameters so shaped that the three broadcast. With blocks, x may be a view with the axis
/// split in two.
struct Quantized {
  Tensor x, scale, zero; ///< zero may be null
};
mlir::FailureOr<Quantized> lineUp(Op &op, Tensor x, Tensor scale, Tensor zero, int64_t axis, int64_t blockSize);

/// A vector of parameters (or a single one) along dim `axis` of a tensor of that rank.
Tensor alongAxis(Op &op, Tensor parameters, int64_t axis, int64_t rank);

/// round(value) + zero, saturated to `to`, an integer type. value: of the floating type of `s`; zero (may be null): of
/// `to`. In compute form of `to`.
mlir::Value quantize(const Scalars &s, mlir::Value value, mlir::Value zero, ElementType to);

} // namespace sinter
