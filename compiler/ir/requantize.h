// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.requantize (ops.td) as passes, the interpreter and printers read and write it: what a quantized tensor is
// computed from. Where no kernel takes it as an object it becomes the scalar operations that it stands for.
#pragma once

#include "dialect.h"

namespace sinter {

/// (ext(value) + bias) * factor.
struct RequantizeTerm {
  mlir::Value value; ///< an integer or an f32
  bool isUnsigned = false;
  mlir::Value bias;   ///< null for 0
  mlir::Value factor; ///< null for 1

  bool isInteger() const { return mlir::isa<mlir::IntegerType>(value.getType()); }
};

/// clamp(round(sum of terms + addend), low, high) + zero.
struct Requantize {
  llvm::SmallVector<RequantizeTerm, 2> terms;
  mlir::Value addend; ///< null for 0
  int64_t zero = 0, low = 0, high = 0;

  /// What makes `value`; nothing where that is no sinter.requantize.
  static std::optional<Requantize> of(mlir::Value value);
  /// Whether elements of `type` hold the results as unsigned numbers only.
  bool isUnsignedIn(mlir::Type type) const;

  /// The op, with a result of `type`.
  mlir::Value write(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type) const;
  /// The same in operations of arith and math: what is rounded, an f32; and all of it.
  mlir::Value writeSum(mlir::OpBuilder &b, mlir::Location loc) const;
  mlir::Value writeExpanded(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type) const;
  /// The zero point added to a limited i32, in `type`.
  mlir::Value writeWithZero(mlir::OpBuilder &b, mlir::Location loc, mlir::Value whole, mlir::Type type) const;
};

/// Whether some reader of the integer extends it without a sign.
bool isExtendedUnsigned(mlir::Value value);
/// The rounded f32 `value` plus `zero` as an i32: what sinter.requantize has made it from, or a conversion.
mlir::Value wholeOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, int64_t zero);

/// An epilogue that is no more than the sum of a contraction, requantized: bias and factor per output channel, which
/// are constants along the last dim of the output.
struct RequantizedSum {
  mlir::Value bias;                ///< a tensor or buffer of i32
  mlir::Value factor;              ///< one of f32
  std::optional<double> oneFactor; ///< or the same for all
  int64_t zero, low, high;

  /// Of a sinter.conv or sinter.matmul to bytes. Nothing where the epilogue does anything else.
  static std::optional<RequantizedSum> of(mlir::Operation *contraction);
};

} // namespace sinter
