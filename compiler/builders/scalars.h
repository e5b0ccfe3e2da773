// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar arithmetic inside a body, for elements of one ONNX type: picks the float, signed or unsigned op. Narrow floats
// arrive as f32.
#pragma once

#include "ir/dialect.h"
#include "ir/element_type.h"

namespace sinter {

enum class Compare { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

/// Builds ops at a body's insertion point. Values are of computeType(type), results too unless said otherwise.
struct Scalars {
  mlir::OpBuilder &b;
  mlir::Location loc;
  ElementType type;

  using Value = mlir::Value;
  Value constant(double value) const; ///< of this type; integers truncate, strings have the empty one as 0
  Value integer(int64_t value) const; ///< of this type, exact for 64-bit integers
  Value lowest() const;               ///< -inf, INT_MIN, 0, false
  Value highest() const;              ///< +inf, INT_MAX, true
  Value add(Value x, Value y) const;
  Value sub(Value x, Value y) const;
  Value mul(Value x, Value y) const;
  Value div(Value x, Value y) const; ///< integers truncate; the stated results of division by zero are the emitter's
  Value max(Value x, Value y) const; ///< NaN wins
  Value min(Value x, Value y) const;
  Value neg(Value x) const;
  Value abs(Value x) const;
  Value compare(Compare predicate, Value x, Value y) const; ///< i1; an unordered comparison is false but for NotEqual
  Value select(Value condition, Value x, Value y) const;
  /// A function of runtime-lite or templates (ir/scalar_functions.def), result of this type's compute type.
  Value apply(llvm::StringRef function, mlir::ValueRange operands) const;
  /// ONNX Cast of one element (both in compute form) from this type to `to`, in `to`'s compute form. Floats to integers
  /// saturate, NaN gives 0.
  Value castTo(ElementType to, Value x) const;
  Value castFromInteger(Value integer, const Scalars &from) const; ///< an integer of `from` as this floating type
  bool isFloat() const { return sinter::isFloat(type); }
  bool isUnsigned() const { return isUnsignedInteger(type); }
};

/// Storage to compute form (f16 -> f32) and back, as loads and stores of a body need.
mlir::Value widen(mlir::OpBuilder &b, mlir::Location loc, ElementType type, mlir::Value stored);
mlir::Value narrow(mlir::OpBuilder &b, mlir::Location loc, ElementType type, mlir::Value computed,
                   bool saturate = true);

} // namespace sinter
