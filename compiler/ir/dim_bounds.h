// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interval in which a size lies, for every call of the model: the arena is planned for its upper end.
#pragma once

#include "dim_algebra.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace sinter {

/// Intervals of integers and of dims of shaped values, each computed once (upstream's ValueBounds starts over for each
/// question, and knows no division, product of sizes, or choice). Sizes that follow from others are polynomials
/// (dim_algebra.h). Linear in the size of the function; valid until the IR changes.
class DimBounds {
public:
  /// Seen: an integer that is read from a tensor is within what all of the tensor's are, by what makes the tensor.
  /// That is lost with the tensors, so that sizes which rely on it need a sinter.bound.
  enum Contents { Unseen, Seen };
  explicit DimBounds(Contents contents = Unseen) : contents(contents) {}

  Interval ofValue(mlir::Value value);
  Interval ofDim(mlir::Value shaped, int64_t dim);
  Interval ofDifference(mlir::OpFoldResult x, mlir::OpFoldResult y);
  /// The most elements that a buffer can have; nullopt if a size has no bound, or the product does not fit.
  std::optional<int64_t> maxElements(mlir::Value shaped);

  /// Valid as long as the bounds are.
  DimAlgebra &getAlgebra() { return algebra; }
  /// Of what follows from no other size.
  Interval ofAtom(SizeKey key);

private:
  Interval get(SizeKey key);
  Interval compute(SizeKey key);
  Interval computeArgument(mlir::BlockArgument argument, int64_t dim);
  Interval computeDim(mlir::OpResult shaped, int64_t dim);
  Interval computeInteger(mlir::OpResult value);
  /// Of all elements of a tensor of integers.
  Interval computeElements(mlir::OpResult tensor);
  /// Assumes that the loop-carried `key` stays within `init`, then looks whether what the loop yields does.
  Interval assume(SizeKey key, Interval init, SizeKey yielded);

  Contents contents;
  unsigned depth = 0; ///< tensors that are looked through
  llvm::DenseMap<SizeKey, Interval> known;
  std::vector<SizeKey> trail; ///< keys in the order they became known: what a refuted assumption takes back
  DimAlgebra algebra{*this};
};

} // namespace sinter
