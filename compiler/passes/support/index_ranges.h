// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index expressions in their shortest form, by what their dims may be: upstream's simplification knows no ranges, so
// that 32 a + b stays undivided by 32 though b is less. Used to see which element of a constant a place of a view of it
// is (element_expression.h).
#pragma once

#include "mlir/IR/AffineExpr.h"

namespace sinter {

/// `expr` over dims from 0 to below `sizes`, without symbols: equal to it for all of these.
mlir::AffineExpr simplifiedWithin(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> sizes);

} // namespace sinter
