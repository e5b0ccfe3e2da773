// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and indices that are numbers or expressions of symbolic dims: OpFoldResult arithmetic that folds, and the dims
// of a value in terms of sinter.dim instead of tensor.dim on intermediates, so that equal sizes are the same SSA value.
#pragma once

#include "ir/dialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace sinter {

using Size = mlir::OpFoldResult;
using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

Size sizeOf(mlir::OpBuilder &b, int64_t value);
Sizes sizesOf(mlir::OpBuilder &b, llvm::ArrayRef<int64_t> values);
Size add(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);
Size sub(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);
Size mul(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);
Size floorDiv(mlir::OpBuilder &b, mlir::Location loc, Size x, int64_t y);
Size ceilDiv(mlir::OpBuilder &b, mlir::Location loc, Size x, int64_t y);
Size divide(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y); ///< exact or truncating, both non-negative
Size minimum(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);
Size maximum(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);
Size product(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Size> sizes);

/// The number, if it is one.
std::optional<int64_t> constantOf(Size size);
/// Certainly equal: the same number or the same value.
bool sameSize(Size x, Size y);
mlir::Value toValue(mlir::OpBuilder &b, mlir::Location loc, Size size);
/// Static where known, ShapedType::kDynamic elsewhere.
llvm::SmallVector<int64_t> staticShape(llvm::ArrayRef<Size> sizes);

/// Dim `index` of a ranked tensor (or memref), looked up through the ops that made it.
Size dimOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value shaped, int64_t index);
Sizes dimsOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value shaped);

/// An integer scalar as a size. What was computed from sizes comes back as arithmetic on them, so that equal sizes stay
/// equal: past + now - past is now.
Size sizeOfInteger(mlir::OpBuilder &b, mlir::Location loc, mlir::Value integer);

/// A float scalar that is a whole number made of sizes (an exporter's cast of a size), as a size; nothing where it is
/// not, or may be too large to be exact.
std::optional<Size> sizeOfWhole(mlir::OpBuilder &b, mlir::Location loc, mlir::Value floating);

/// Smallest and largest value that a size can take, by interval arithmetic over symbolic dims; nothing if unknown.
std::optional<std::pair<int64_t, int64_t>> rangeOf(Size size);
/// The same, also of a size that is read from a tensor, by what makes the tensor: memory that is planned for its upper
/// end needs a sinter.bound.
std::optional<std::pair<int64_t, int64_t>> rangeOfData(Size size);

} // namespace sinter
