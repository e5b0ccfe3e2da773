// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds rows of a decoder's cache, from the input on: parts of it, it with new rows, it in another order of dims.
// All of these get the type that a row has in fewer bits (templates/attention/cache_rows.h).
#pragma once

#include "builders/tensors.h"
#include "dialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace sinter {

/// What rows become.
struct CacheForm {
  mlir::Type element;
  ElementType onnx;
  int64_t more; ///< elements of a row beside its numbers
};

class CacheValues {
public:
  CacheValues(InputOp input, const CacheForm &form);

  /// Whether rows can be of that form: the state behind a call is the cache with rows put in. Nothing is changed.
  bool find();
  /// Gives all of it the form: new rows are converted where they are put in. What reads numbers gets them widened,
  /// but for attention.
  void narrow();

  llvm::SmallVector<OutputOp> outputs;
  bool isWidened() const { return !widened.empty(); }

private:
  void follow(mlir::OpOperand &use);
  void carry(mlir::Value value) { values.insert(value); }
  bool scattersRows(KernelOp scatter) const;
  void narrowOperand(mlir::OpOperand &use) const;
  void narrowScatter(KernelOp scatter) const;
  void narrowChoice(mlir::linalg::GenericOp choice) const;
  mlir::Value emptyLike(mlir::OpBuilder &b, mlir::Value rows) const;
  void widen();
  mlir::Value narrowed(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rows) const;
  mlir::RankedTensorType narrowType(mlir::RankedTensorType type) const;
  llvm::SmallVector<int64_t> longer(llvm::ArrayRef<int64_t> sizes) const;
  void narrowBuffer(mlir::Value buffer) const;

  InputOp input;
  CacheForm form;
  int64_t size;        ///< numbers of a row
  ElementType numbers; ///< as the model has them
  llvm::SetVector<mlir::Value> values;
  llvm::SetVector<mlir::Operation *> carriers; ///< whose results are among the values
  llvm::SmallVector<mlir::OpOperand *> widened;
};

} // namespace sinter
