// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether an epilogue is long: templates/panels/pointwise.h, which has a copy for each sum of a tile, is not for it.
#pragma once

#include "ir/dialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace sinter {

/// An epilogue that calls a function, as exp or erf.
inline bool isCostlyEpilogue(mlir::Region &epilogue) {
  return llvm::any_of(epilogue.getOps(), [](mlir::Operation &op) {
    return mlir::isa<ApplyOp>(op) || mlir::isa<mlir::math::MathDialect>(op.getDialect());
  });
}

} // namespace sinter
