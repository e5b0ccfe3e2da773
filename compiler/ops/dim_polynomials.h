// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims of a model that are polynomials of others (--dim total=past+seq).
#pragma once

#include "conversion.h"

#include "ir/named_polynomial.h"

namespace sinter {

/// What a dim is of others, by the model's function.
std::optional<NamedPolynomial> polynomialOf(mlir::Operation *function, mlir::StringAttr dim);
/// Its size, made of those of the others.
mlir::Value sizeOfPolynomial(const NamedPolynomial &polynomial, mlir::OpBuilder &builder, mlir::Location loc,
                             const Conversion &conversion);
/// The dim of the model that a size is; empty: none.
llvm::StringRef dimNameOf(mlir::Operation *function, mlir::Value size, const Conversion &conversion);

} // namespace sinter
