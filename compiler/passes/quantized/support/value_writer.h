// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes quantized values (quantized_value.h) into a body as the operations that they stand for. body_values.cpp
// decides which; intform.cpp for what.
#pragma once

#include "quantized_value.h"

#include "interpreter/interpreter.h"
#include "ir/requantize.h"

namespace sinter {

/// An operand of the op that a body belongs to, and the body's argument for it.
struct BodyInput {
  mlir::Value tensor;
  mlir::AffineMap map;
  mlir::BlockArgument argument;
  std::optional<HostTensor> known; ///< its contents, where they are constant and few
};

class ValueWriter {
public:
  /// At the end of `to`; numbers along a channel are placed in front of `owner`.
  ValueWriter(llvm::ArrayRef<BodyInput> inputs, mlir::Block &to, mlir::Operation *owner)
      : b(owner->getContext()), loc(owner->getLoc()), inputs(inputs), to(to), owner(owner) {
    b.setInsertionPointToEnd(&to);
  }

  mlir::Value constant(mlir::TypedAttr attribute) { return b.create<mlir::arith::ConstantOp>(loc, attribute); }
  /// The numbers as values of the body: a literal, or an operand of its own.
  mlir::Value numbers(const Numbers &numbers, mlir::Type type);
  mlir::Value value(QuantizedValue x);
  /// The sum that x is, its numbers as values of the body. Precondition: x has terms, and no limits.
  Requantize sum(QuantizedValue x);
  /// One more operand of the op, and the body's argument for it.
  mlir::Value addInput(mlir::Value tensor, mlir::AffineMap map, mlir::Type type);

  mlir::OpBuilder b;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> tensors; ///< what was added as operands
  llvm::SmallVector<mlir::AffineMap> maps;

private:
  RequantizeTerm term(const Term &term);

  llvm::ArrayRef<BodyInput> inputs;
  mlir::Block &to;
  mlir::Operation *owner;
};

} // namespace sinter
