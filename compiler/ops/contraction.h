// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: sinter.matmul for floats and 32-bit sums, a linalg.generic for other integers.
#pragma once

#include "lowering.h"

namespace sinter {

/// Batched product of lhs [batch..., m, k] and rhs [batch..., k, n] (transposed: [batch..., k, m], [batch..., n, k]),
/// both of rank 2 or more and of one element type, which is the result's unless another is given (int32 for int8).
/// Batch dims broadcast. Half types accumulate in float: the epilogue's accumulator is in compute form, what it yields
/// in storage form.
mlir::FailureOr<Tensor> matmul(Op &op, Tensor lhs, Tensor rhs, bool transposeLhs = false, bool transposeRhs = false,
                               ElementType result = ElementType::Undefined);

/// numpy's matmul: an operand of rank 1 is a row on the left, a column on the right, and its dim vanishes from the
/// result.
mlir::FailureOr<Tensor> numpyMatmul(Op &op, Tensor lhs, Tensor rhs);

} // namespace sinter
