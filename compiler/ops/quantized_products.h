// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and convolutions of 8-bit operands with zero points, exact in int32. The operands stay 8 bits wide,
// in memory and in the kernel; zero points are taken off the sums:
//   sum (a - z)(b - w) = sum a b - z sum b - w sum a + k z w, where sums of constants are constants.
#pragma once

#include "spatial.h"

namespace sinter {

/// numpy's matmul of a - aZero and b - bZero; a and b are int8 or uint8. A zero point is null, a number, one for each
/// row of a, or one for each column of b.
mlir::FailureOr<Tensor> quantizedMatmul(Op &op, Tensor a, Tensor aZero, Tensor b, Tensor bZero);

/// Convolution of x - xZero, a number or null, and w - wZero, a number, one for each filter, or null.
mlir::FailureOr<Tensor> quantizedConvolve(Op &op, Tensor x, Tensor xZero, Tensor w, Tensor wZero, const Window &window,
                                          int64_t group);

} // namespace sinter
