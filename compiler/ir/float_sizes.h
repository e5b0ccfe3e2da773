// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that an exporter computes in floats (Cast, Div, Floor, Cast back): as polynomials where each rounding is known
// not to matter, as intervals everywhere.
#pragma once

#include "dim_algebra.h"

namespace sinter {

/// A float that is a whole number, exactly; with `truncates`, what is left of it towards zero.
std::optional<DimPolynomial> wholeOf(mlir::Value floating, DimAlgebra &algebra, bool truncates = false);

/// Where a float lies that is made of sizes and known numbers; nothing where it may be infinite or NaN.
std::optional<std::pair<double, double>> floatRangeOf(mlir::Value floating, DimBounds &bounds);

} // namespace sinter
