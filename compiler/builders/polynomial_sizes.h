// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the algebra of sizes (ir/dim_algebra.h) knows of two sizes, as a size.
#pragma once

#include "sizes.h"

namespace sinter {

/// x / y where nothing remains, whatever their values.
std::optional<Size> exactQuotient(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);
/// x - y where it is a number or a single product.
std::optional<Size> simpleDifference(mlir::OpBuilder &b, mlir::Location loc, Size x, Size y);

} // namespace sinter
