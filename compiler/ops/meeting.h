// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where tensors from different paths meet (branches of an If, iterations of a Loop): one buffer outside of the paths,
// and a run-time size for each dim that differs. Everything that runs under a condition writes there, so that
// bufferization has one destination.
#pragma once

#include "conversion.h"
#include "lowering.h"

namespace sinter {

/// The size as a value that is available before `op`: pure ops that make it are moved there. Nothing when it depends on
/// what happens inside of `op`.
std::optional<Size> hoisted(Size size, mlir::Operation *op);

class Meeting {
public:
  /// Of tensors with these sizes (one entry per path; dims as they are before `op`, nothing where only known inside),
  /// as output `output` of the node; ranks agree. Fails with a diagnostic when a dim has no bound. `inductive`: the
  /// paths are a value before and after an iteration, so that a bound must hold for both, or be stated.
  using PathSizes = llvm::SmallVector<std::optional<Size>>;
  static mlir::FailureOr<Meeting> of(const Op &op, unsigned output, llvm::ArrayRef<PathSizes> paths,
                                     llvm::ArrayRef<Tensor> tensors, bool inductive = false);

  bool varies() const { return llvm::is_contained(varying, true); }
  /// Types of the values that stand for the tensor: the buffer, then an index for each dim that varies.
  llvm::SmallVector<mlir::Type> types() const;
  Tensor buffer(mlir::OpBuilder &b, mlir::Location loc) const;
  /// What a path passes on for the tensor, in the buffer `into` where its size varies.
  llvm::SmallVector<mlir::Value> handOn(mlir::OpBuilder &b, mlir::Location loc, Tensor value, mlir::Value into) const;
  /// The same, in the buffer always.
  llvm::SmallVector<mlir::Value> store(mlir::OpBuilder &b, mlir::Location loc, Tensor value, mlir::Value into) const;
  Tensor load(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange values) const;
  unsigned count() const { return types().size(); }

private:
  Sizes capacity;
  llvm::SmallVector<bool> varying;
  ElementType element = ElementType::Undefined;
  mlir::Type stored;
};

/// The most that dim `d` of output `output` may be: --bound, or what the model declares.
std::optional<int64_t> statedCapacity(const Op &op, unsigned output, int64_t d, int64_t rank);

/// The subgraph attribute `name` of a node.
mlir::Region *subgraph(const Op &op, llvm::StringRef name);
/// The only element of a tensor of rank 0 or with one element, read at run time.
mlir::Value onlyElement(mlir::OpBuilder &b, mlir::Location loc, Tensor x);
/// The tensor with more or fewer of its sizes in its type.
mlir::Value asType(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor, mlir::Type type);
/// A rank-0 tensor of one scalar in storage form.
Tensor rankZero(mlir::OpBuilder &b, mlir::Location loc, ElementType element, mlir::Value scalar);

} // namespace sinter
