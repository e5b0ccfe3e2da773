// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each element of a tensor is computed of: scalar operations on elements of other tensors, seen through
// elementwise loop nests, transposes and reshapes. So that what a model spells in any number of nodes (cast, subtract,
// multiply, reshape) is looked at as one formula: block_weights.h.
#pragma once

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <vector>

namespace sinter {

/// An operation on operands, an element of a tensor, or a scalar from outside of loop nests.
struct ElementExpression {
  mlir::Operation *operation = nullptr; ///< null: no operation
  std::vector<ElementExpression> operands;
  mlir::Value value;                         ///< a tensor or a scalar, where there is no operation
  llvm::SmallVector<mlir::AffineExpr, 4> at; ///< the tensor's indices, over dims of `sizes`

  bool isElement() const { return !operation && llvm::isa<mlir::RankedTensorType>(value.getType()); }
};

/// Element `at` of a tensor, over dims of these sizes. Nothing where the formula is long. Loop nests that reduce, ask
/// where they are or read elements by index are tensors like others.
std::optional<ElementExpression> elementExpression(mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> at,
                                                   llvm::ArrayRef<int64_t> sizes);

/// A tensor [sizes...] of an expression over these dims, computed by one loop nest in front of the builder's point.
mlir::Value tensorOf(mlir::OpBuilder &b, mlir::Location loc, const ElementExpression &expression,
                     llvm::ArrayRef<int64_t> sizes, mlir::Type element);

} // namespace sinter
