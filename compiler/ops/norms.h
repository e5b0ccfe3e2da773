// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// p-norms as scalar arithmetic, and the numbers that reductions divide by.
#pragma once

#include "lowering.h"

namespace sinter {

/// The element type that sums over `element` are held in: float for half types.
ElementType computedAs(ElementType element);
/// |x|^p and x^(1/p).
mlir::Value powerOfNorm(const Scalars &s, mlir::Value x, double p);
mlir::Value rootOfNorm(const Scalars &s, mlir::Value x, double p);
/// An index value as a number of s's floating type.
mlir::Value indexAsFloat(const Scalars &s, mlir::Value index);

} // namespace sinter
