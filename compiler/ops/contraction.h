// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: sinter.matmul for floats and 32-bit sums, a linalg.generic for other integers.
#pragma once

#include "lowering.h"

namespace sinter {

/// What is taken off each element of the operands of an integer product.
struct ZeroPoints {
  int64_t left = 0, right = 0;
};
/// How a product extends the elements of its operands: a letter for each, "s" or "u".
llvm::StringRef signsOf(Tensor left, Tensor right);

/// Batched product of lhs [batch..., m, k] and rhs [batch..., k, n] (transposed: [batch..., k, m], [batch..., n, k]),
/// both of rank 2 or more and of one element type, which is the result's unless another is given: int32 (int64) for
/// sums of narrower integers, whose operands may have zero points. Batch dims broadcast. Half types accumulate in
/// float: the epilogue's accumulator is in compute form, what it yields in storage form.
mlir::FailureOr<Tensor> matmul(Op &op, Tensor lhs, Tensor rhs, bool transposeLhs = false, bool transposeRhs = false,
                               ElementType result = ElementType::Undefined, ZeroPoints zeros = {});

/// numpy's matmul: an operand of rank 1 is a row on the left, a column on the right, and its dim vanishes from the
/// result.
mlir::FailureOr<Tensor> numpyMatmul(Op &op, Tensor lhs, Tensor rhs);

} // namespace sinter
