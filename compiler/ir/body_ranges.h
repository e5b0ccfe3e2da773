// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What integers inside of loop nests can be: indices count from 0 to below the size of their loop. Decides comparisons
// (fold_comparisons.cpp), and tells which sums of indices never wrap around (codegen/bodies/lane_split.h).
#pragma once

#include "dim_bounds.h"

namespace sinter {

/// Of an index or a number.
unsigned bitsOfNumber(mlir::Type type);

/// Ranges of integers inside of loop nests, and of what tensors hold. Valid until the IR changes.
class BodyRanges {
public:
  Interval ofTensor(mlir::Value tensor);
  Interval ofScalar(mlir::Value value);

private:
  Interval compute(mlir::Value tensor);
  /// Where the type holds all that can come of it.
  Interval ofArithmetic(mlir::Operation *op);

  DimBounds sizes;
  llvm::DenseMap<mlir::Value, Interval> tensors;
  unsigned depth = 0; ///< of nests that read one another
};

} // namespace sinter
