// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a body once more, with the arithmetic around its roundings in the shortest form. What the old body computes is
// read as quantized values where it is made of known factors and whole numbers (body_values.cpp), and copied where it
// is not (body_rewriter.cpp).
#pragma once

#include "value_writer.h"

namespace sinter {

class BodyRewriter {
public:
  /// `from`: pure operations on scalars, an argument for each of `inputs`. To the end of `to`.
  BodyRewriter(llvm::ArrayRef<BodyInput> inputs, mlir::Block &from, mlir::Block &to);

  /// The counterpart of `value`, which the old body makes or reads.
  mlir::Value write(mlir::Value value);
  /// The new body's argument for something that is not an input.
  void give(mlir::Value old, mlir::Value argument) { written.map(old, argument); }
  /// Ends the new body.
  template <class Terminator>
  void yield(mlir::Value result) {
    b.create<Terminator>(loc, result);
  }

  /// The op's operands, in the order of the new body's arguments.
  llvm::SmallVector<mlir::Value> &tensors() { return writer.tensors; }
  llvm::SmallVector<mlir::AffineMap> &maps() { return writer.maps; }

private:
  mlir::Value writeArgument(mlir::BlockArgument argument);
  mlir::Value cloned(mlir::Value value);
  /// A conversion to few bits of a rounded value within them, as sinter.requantize.
  mlir::Value writeQuantized(mlir::Value value);

  /// What a float of the old body is.
  std::optional<QuantizedValue> valueOf(mlir::Value value);
  std::optional<QuantizedValue> computeValue(mlir::Value value);
  std::optional<QuantizedValue> ofInteger(mlir::Value value, bool isUnsigned);
  std::optional<QuantizedValue> clamped(mlir::Operation *op);
  /// Rounding is monotone: clamps pass through it.
  std::optional<QuantizedValue> rounded(mlir::math::RoundEvenOp op);
  /// The contents of a constant operand; integers as they are extended.
  std::optional<QuantizedValue> constantOf(mlir::BlockArgument argument, bool isUnsigned = false);
  /// The first operand that runs along the same dims.
  unsigned likeOf(const BodyInput &input);

  bool isOfOldBody(mlir::Value value);
  static QuantizedValue atom(mlir::Value value, Term::Kind kind) { return {{{value, kind, 1, 0}}, 0, {}, {}}; }

  llvm::ArrayRef<BodyInput> inputs;
  mlir::Block &from;
  ValueWriter writer;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::IRMapping written;
  llvm::DenseMap<mlir::Value, unsigned> byArgument;
  llvm::DenseMap<mlir::Value, std::optional<QuantizedValue>> values;
  llvm::DenseMap<mlir::Value, Requantize> roundings;  ///< of the new body: what was rounded
  llvm::DenseMap<mlir::Value, QuantizedValue> images; ///< quantized results of the old body as the floats that they are
};

} // namespace sinter
