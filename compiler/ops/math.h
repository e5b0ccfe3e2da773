// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that are one float function of MLIR's math dialect, and the pieces that activations are made of.
#pragma once

#include "lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace sinter {

/// y = MathOp(x) for float types: a Lowering.
template <class MathOp>
mlir::LogicalResult resultMath(Op &op) {
  return op.resultUnary([](const Scalars &s, mlir::Value x) -> mlir::Value { return s.b.create<MathOp>(s.loc, x); });
}

inline mlir::Value exp(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::ExpOp>(s.loc, x); }
inline mlir::Value expm1(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::ExpM1Op>(s.loc, x); }
inline mlir::Value log(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::LogOp>(s.loc, x); }
inline mlir::Value log1p(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::Log1pOp>(s.loc, x); }
inline mlir::Value sqrt(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::SqrtOp>(s.loc, x); }
inline mlir::Value tanh(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::TanhOp>(s.loc, x); }
inline mlir::Value erf(const Scalars &s, mlir::Value x) { return s.b.create<mlir::math::ErfOp>(s.loc, x); }
inline mlir::Value sigmoid(const Scalars &s, mlir::Value x) { return s.apply("sigmoid", x); }

/// log(1 + exp(x)), without overflow.
inline mlir::Value softplus(const Scalars &s, mlir::Value x) { return s.apply("softplus", x); }

/// x limited to [low, high]; NaN stays.
inline mlir::Value clamp(const Scalars &s, mlir::Value x, double low, double high) {
  return s.min(s.max(x, s.constant(low)), s.constant(high));
}

} // namespace sinter
