// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales and zero points: scalars, one for each index of an axis, or one for each block along it; and the arithmetic of
// quantizing one element.
#pragma once

#include "conversion.h"
#include "lowering.h"

namespace sinter {

/// x with its quantization parameters so shaped that the three broadcast. With blocks, x may be a view with the axis
/// split in two.
struct Quantized {
  Tensor x, scale, zero; ///< zero may be null
};
mlir::FailureOr<Quantized> lineUp(Op &op, Tensor x, Tensor scale, Tensor zero, int64_t axis, int64_t blockSize);

/// A vector of parameters (or a single one) along dim `axis` of a tensor of that rank.
Tensor alongAxis(const Op &op, Tensor parameters, int64_t axis, int64_t rank);

/// (x - zero) * scale in float, as `to`.
Tensor dequantized(const Op &op, const Quantized &q, ElementType to);
/// Are the two held in one element type, with the same scale and zero point?
bool areAlike(Op &op, const Dequantized &a, const Dequantized &b);

/// Reports scales and zero points of a quantized operator that the standard forbids. quantization_check.cpp
mlir::LogicalResult checkQuantization(const Op &op);

/// An operator that moves elements, or picks among them, does so with the integers that its operands were dequantized
/// from: what lies between two contractions is then no float tensor. The results are dequantized in their turn. Nothing
/// where the operator is none of these, or the operands' scales differ.
std::optional<mlir::LogicalResult> moveQuantized(Op &op, const Lowering &lowering);

/// round(value) + zero, saturated to `to`, an integer type. value: of the floating type of `s`; zero (may be null): of
/// `to`. In compute form of `to`.
mlir::Value quantize(const Scalars &s, mlir::Value value, mlir::Value zero, ElementType to);

} // namespace sinter
