// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of an epilogue or elementwise body that are known at compile time: one, or one per channel. What
// requantize-fixed computes with.
#pragma once

#include "interpreter/interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

/// The body of an op that runs it once per element: an epilogue, or that of an elementwise linalg.generic.
struct ElementBody {
  mlir::Operation *op;
  mlir::Block *block;

  /// Nothing where `op` has none.
  static std::optional<ElementBody> of(mlir::Operation *op);
  /// The operand that an argument is an element of, and how it is read; null for the accumulator and for inits.
  mlir::Value operand(mlir::BlockArgument argument) const;
  mlir::AffineMap map(mlir::BlockArgument argument) const;
  /// One more operand, and the argument that stands for its element.
  mlir::BlockArgument append(mlir::Value tensor, mlir::AffineMap map) const;
  /// Erases what nobody reads: ops of the body, then operands.
  void dropUnused() const;
};

struct KnownFactor {
  std::vector<double> values; ///< one, or the elements of a tensor
  mlir::AffineMap map;        ///< how the tensor is read; null for one number
  llvm::SmallVector<int64_t> shape;

  static KnownFactor one(double value) { return {{value}, {}, {}}; }
  bool isOne() const { return !map; }
  bool all(llvm::function_ref<bool(double)> holds) const { return llvm::all_of(values, holds); }
  /// As a constant tensor of f32 or i32 that becomes one more operand; its element in the body. Precondition: not one.
  mlir::BlockArgument appendTo(const ElementBody &body, mlir::Type element) const;
  KnownFactor mapped(llvm::function_ref<double(double)> f) const;
};
/// Element by element; nothing where the two are read differently.
std::optional<KnownFactor> combined(const KnownFactor &a, const KnownFactor &b,
                                    llvm::function_ref<double(double, double)> f);

/// A float or integer value of the body, if it depends on constants only.
std::optional<KnownFactor> knownFactor(mlir::Value value, const ElementBody &body, EvaluationCache &cache);

} // namespace sinter
