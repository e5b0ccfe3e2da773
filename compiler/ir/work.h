// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much an op computes and how often it runs: what reports and benchmarks divide by. Tensors and buffers alike.
#pragma once

#include "dim_bounds.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sinter {

/// The product; INT64_MAX beyond that: hostile sizes must not overflow what only informs.
int64_t times(int64_t a, int64_t b);

/// Sizes that vary count with their largest value; what has no bound counts as nothing.
class Work {
public:
  /// Multiply-adds of one run of a payload op: products, convolutions, attention, and loop nests that sum products.
  int64_t macsOf(mlir::Operation *op);
  /// How often the innermost loop of a payload op runs at most, in one run: of a nest of loops their product, of others
  /// their multiply-adds or, if they have none, the elements of their largest operand, which they pass over.
  int64_t iterationsOf(mlir::Operation *op);
  /// How often the loops around an op run it in one call of the model; 1 where that is not known.
  int64_t repeatsOf(mlir::Operation *op);
  /// Multiply-adds of one call of the model; of the branches of a choice the largest.
  int64_t macsIn(mlir::Region &region);
  int64_t elements(mlir::Value shaped) { return bounds.maxElements(shaped).value_or(0); }

private:
  int64_t size(mlir::Value shaped, int64_t dim);
  int64_t trips(mlir::Operation *loop);
  int64_t product(mlir::linalg::GenericOp nest);

  DimBounds bounds;
};

} // namespace sinter
