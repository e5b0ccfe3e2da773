// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of 8 and 4 bits from and to f32, spelled in arith so that no target needs functions for them. The four float8
// types are MLIR's own and only lack saturation; float4e2m1 and float8e8m0 (a power of two, without sign) are held as
// bits in i8.
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
