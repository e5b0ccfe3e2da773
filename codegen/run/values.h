// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the values of `run` are in the output: buffers as a base with offset, sizes and strides; indices as expressions;
// scalars as names. The views (subview, collapse_shape, ...) vanish here. Kernels: kernel_function.h.
#pragma once

#include "codegen/text/size_expr.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sinter {

/// A buffer as code sees it. `base` is a typed pointer unless it is one of the byte bases.
struct View {
  enum class Base { Arena, Weights, Pointer };
  Base kind = Base::Pointer;
  PrintedCode pointer; ///< Pointer: an expression of type `element *`; else the name of what `bytes` counts from
  int64_t bytes = 0;   ///< Arena, Weights: byte offset
  SizeExpr offset;     ///< in elements
  llvm::SmallVector<SizeExpr> sizes, strides;
  mlir::Type element;
  bool readOnly = false;
  bool isHeld = false; ///< of a launch: a value that is in no memory of the program's

  /// The address of the first element, as run sees it.
  PrintedCode address() const;
};

class Values {
public:
  const View &view(mlir::Value value) const { return views.find(value)->second; }
  void setView(mlir::Value value, View view) { views[value] = std::move(view); }
  /// An index (or a small integer that sizes are computed from).
  SizeExpr size(mlir::Value value) const;
  void setSize(mlir::Value value, SizeExpr size) { sizes[value] = std::move(size); }
  bool hasSize(mlir::Value value) const { return sizes.count(value); }
  /// Other scalars: an expression without side effects, of valueText's type.
  PrintedCode scalar(mlir::Value value) const;
  void setScalar(mlir::Value value, PrintedCode text) { scalars[value] = std::move(text); }

private:
  llvm::DenseMap<mlir::Value, View> views;
  llvm::DenseMap<mlir::Value, SizeExpr> sizes;
  llvm::DenseMap<mlir::Value, PrintedCode> scalars;
};

/// Resolves a view-like op (memref.subview, expand_shape, collapse_shape, cast, memory_space_cast, reinterpret_cast,
/// transpose); false for
/// any other op.
bool resolveView(mlir::Operation *op, Values &values);

/// Strides of a contiguous buffer.
llvm::SmallVector<SizeExpr> contiguousStrides(llvm::ArrayRef<SizeExpr> sizes);
/// The sizes of a shaped type, dynamic ones taken in order from `dynamic`.
llvm::SmallVector<SizeExpr> mixedSizes(llvm::ArrayRef<int64_t> shape, mlir::ValueRange dynamic, const Values &values);

} // namespace sinter
