// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interval in which a size lies, for every call of the model: the arena is planned for its upper end.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace sinter {

/// Both ends belong to it. Not bounded: the type's whole range.
struct Interval {
  int64_t low = INT64_MIN, high = INT64_MAX;
  bool contains(Interval other) const { return low <= other.low && other.high <= high; }
  Interval unite(Interval other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
};

/// Intervals of integers and of dims of shaped values, each computed once (upstream's ValueBounds starts over for each
/// question, and knows no division, product of sizes, or choice). Linear in the size of the function; valid until the
/// IR changes.
class DimBounds {
public:
  Interval ofValue(mlir::Value value);
  Interval ofDim(mlir::Value shaped, int64_t dim);
  /// The most elements that a buffer can have; nullopt if a size has no bound, or the product does not fit.
  std::optional<int64_t> maxElements(mlir::Value shaped);

private:
  using Key = std::pair<mlir::Value, int64_t>; ///< dim -1: the integer itself
  Interval get(Key key);
  Interval compute(Key key);
  Interval computeArgument(mlir::BlockArgument argument, int64_t dim);
  Interval computeDim(mlir::OpResult shaped, int64_t dim);
  Interval computeInteger(mlir::OpResult value);
  Interval computeAffine(mlir::AffineMap map, mlir::ValueRange operands, bool isMax);
  Interval ofSize(mlir::OpFoldResult size);
  /// Assumes that the loop-carried `key` stays within `init`, then looks whether what the loop yields does.
  Interval assume(Key key, Interval init, Key yielded);

  llvm::DenseMap<Key, Interval> known;
  std::vector<Key> trail; ///< keys in the order they became known: what a refuted assumption takes back
};

} // namespace sinter
