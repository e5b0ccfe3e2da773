// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which axes a Reduce* node reduces: an attribute or an operand by version, all of them when none are given.
#pragma once

#include "lowering.h"

namespace sinter {

/// Non-negative axes of operand 0. `operandSince`: the version from which they are operand 1.
mlir::FailureOr<llvm::SmallVector<int64_t>> reductionAxes(Op &op, int64_t operandSince);

/// How many elements the given axes of x have.
Size elementCount(const Tensors &t, Tensor x, llvm::ArrayRef<int64_t> axes);
/// That number inside a body, in the body's type.
mlir::Value reducedCount(const Scalars &s, Size count);

} // namespace sinter
