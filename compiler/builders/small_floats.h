// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of 8 and 4 bits, held as bits in i8, from and to f32: spelled in arith, so that every target computes them,
// and in lanes.
#pragma once

#include "ir/dialect.h"
#include "ir/element_type.h"

namespace sinter {

mlir::Value widenSmallFloat(mlir::OpBuilder &b, mlir::Location loc, ElementType type, mlir::Value stored);
mlir::Value narrowSmallFloat(mlir::OpBuilder &b, mlir::Location loc, ElementType type, mlir::Value wide, bool saturate);

enum class ScaleRounding { Up, Down, Nearest };
/// To float8e8m0. Infinities give the largest power when saturating, NaN otherwise; signs are dropped.
mlir::Value narrowScale(mlir::OpBuilder &b, mlir::Location loc, mlir::Value wide, ScaleRounding rounding,
                        bool saturate);

} // namespace sinter
