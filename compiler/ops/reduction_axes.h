// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The axes of a Reduce* node: an attribute or an operand by version, all when none are given; known now, or run-time
// data of which only the number is.
#pragma once

#include "lowering.h"

namespace sinter {

class ReductionAxes {
public:
  using Initial = llvm::function_ref<mlir::Value(const Scalars &)>;
  using Combine = llvm::function_ref<mlir::Value(const Scalars &, mlir::Value acc, mlir::Value x)>;

  /// Of operand 0. `operandSince`: the version from which they are operand 1. Fails with a diagnostic.
  static mlir::FailureOr<ReductionAxes> of(Op &op, int64_t operandSince);

  /// No axis at all: each element by itself.
  bool empty() const { return flags.empty() && fixed.empty(); }
  /// Folds x along the axes, which are kept with size 1. `combine` must be the same along each axis: a sum of sums.
  Tensor fold(Op &op, Tensor x, ElementType accumulator, Initial initial, Combine combine) const;
  /// How many elements of x are folded into one.
  Size count(Op &op, Tensor x) const;
  /// What fold left, as the node's keepdims has it.
  Tensor result(Op &op, Tensor folded) const;

private:
  Tensor foldWhere(Op &op, Tensor x, int64_t d, ElementType accumulator, Initial initial, Combine combine) const;

  llvm::SmallVector<int64_t> fixed;
  llvm::SmallVector<mlir::Value> flags; ///< i1 for each dim when the axes are run-time data
  int64_t number = 0;                   ///< how many there are
};

/// How many elements the given axes of x have, and that number inside a body, in the body's type.
Size elementCount(const Tensors &t, Tensor x, llvm::ArrayRef<int64_t> axes);
mlir::Value reducedCount(const Scalars &s, Size count);

} // namespace sinter
