// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and convolutions of integers with zero points, exact: 8-bit operands are summed up in int32, wider
// ones in int64 where int32 could overflow. The operands stay as narrow as they are, in memory and in the kernel. A
// zero point that is a number is the contraction's own attribute; those that only a call brings are taken off the sums
// (sum (a - z) b = sum a b - z sum b); others are taken off the right operand, which is then 16 bits wide.
#pragma once

#include "quantization.h"
#include "spatial.h"

namespace sinter {

/// numpy's matmul of a - aZero and b - bZero; a and b are integers of up to 16 bits. A zero point is null, a number,
/// one for each row of a, or one for each column of b.
mlir::FailureOr<Tensor> quantizedMatmul(Op &op, Tensor a, Tensor aZero, Tensor b, Tensor bZero);

/// Convolution of x - xZero, a number or null, and w - wZero, a number, one for each filter, or null.
mlir::FailureOr<Tensor> quantizedConvolve(Op &op, Tensor x, Tensor xZero, Tensor w, Tensor wZero, const Window &window,
                                          int64_t group);

/// sums * aScale * bScale + bias, as `to`; scales and the bias (may be none) line up with the last dim.
Tensor scaledSums(const Op &op, Tensor sums, Tensor aScale, Tensor bScale, Tensor bias, ElementType to);

/// Operands that were dequantized from integers: the contraction of floats is the contraction of integers times
/// `scale`, a number or a vector along the result's channels.
struct IntegerOperands {
  Dequantized left, right;
  Tensor scale;
};
/// Operands `left` and `right` of a contraction, if both have an integer form that contractions take: up to 16 bits;
/// one scale for the left one; for the right one, one for all or one per index of dim `channels`.
std::optional<IntegerOperands> integerOperands(const Op &op, unsigned left, unsigned right, int64_t channels);
/// `sums` of integers times the scale along dim `axis`, as `to`.
Tensor rescaled(const Op &op, Tensor sums, const IntegerOperands &operands, int64_t axis, ElementType to);

} // namespace sinter
