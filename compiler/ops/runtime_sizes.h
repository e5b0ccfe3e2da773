// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and offsets that depend on run-time data: kept inside the tensor they index and inside the bound that memory is
// planned for.
#pragma once

#include "lowering.h"

namespace sinter {

/// `size` held within [0, most] by sinter.bound, unless its range is known already. For sizes that cannot exceed `most`
/// by construction.
Size within(const Tensors &t, Size size, Size most);
/// Sizes of output `i`, each with a range: those read from data get the bound that the user states (--bound
/// NODE:OUTPUT=N), or the size that the model declares; without either that is reported, and one is assumed
/// (missing_bounds.h). Fails where a size is negative.
mlir::FailureOr<Sizes> boundedSizes(const Op &op, llvm::ArrayRef<Size> sizes, unsigned output = 0);
/// The bound that the user states for output `i`, if any.
std::optional<int64_t> statedBound(const Op &op, unsigned output);
/// What fails where a size has neither.
mlir::LogicalResult failWithoutBound(const Op &op, unsigned output, const llvm::Twine &what);
/// Whether something other than dims of the inputs decides the size.
bool dependsOnData(Size size);
/// `y` with the sizes that depend on data held to the bound that the user states for output `i`.
Tensor heldToStatedBound(const Op &op, Tensor y, unsigned output);
/// The sizes that the model declares for output `i` (its value_info), if all are numbers.
std::optional<Sizes> declaredSizes(const Op &op, unsigned output = 0);
/// Where operand `axes` of a node that only adds or drops dims is run-time data: x with the sizes that the model
/// declares, if it does.
std::optional<Tensor> reshapedAsDeclared(const Op &op, Tensor x, unsigned axes);
/// The first `count` (a rank-0 int64 tensor, at most the capacity) entries along `axis` of a tensor made at capacity.
Tensor takeCount(const Tensors &t, Tensor atCapacity, Tensor count, int64_t axis);
/// The count of takeCount as a size, for several tensors that share it.
Size countSize(const Tensors &t, Tensor count, Size capacity);
Tensor takeFirst(const Tensors &t, Tensor atCapacity, Size count, int64_t axis);

/// A Python index into a dim: negative ones count from the end; the result lies within [low, size + high].
Size clampedIndex(const Tensors &t, Size index, Size size, int64_t low, int64_t high);
/// values[i] where axes[i] == dim, else `fallback`: axes that are run-time data.
Size valueForAxis(const Tensors &t, llvm::ArrayRef<Size> values, llvm::ArrayRef<Size> axes, int64_t dim, int64_t rank,
                  Size fallback);
Size chosen(const Tensors &t, mlir::Value condition, Size x, Size y); ///< select
/// Both signs known and x <= y for all run-time values.
bool certainlyAtMost(const Tensors &t, Size x, Size y);
bool certainlyNonNegative(Size x);

/// x with an element more, a zero, along those of `dims` (default: all) that may be empty: for who moves each index
/// into the tensor, reads there, and only then chooses whether that counts.
Tensor neverEmpty(const Tensors &t, Tensor x, llvm::ArrayRef<int64_t> dims);
Tensor neverEmpty(const Tensors &t, Tensor x);

} // namespace sinter
