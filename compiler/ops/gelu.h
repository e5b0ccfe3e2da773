// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gelu: x times the normal distribution function, by erf or by its tanh approximation (Hendrycks, Gimpel, 2016).
#pragma once

#include "math.h"

namespace sinter {

inline mlir::Value geluByErf(const Scalars &s, mlir::Value x) { return s.apply("gelu", x); }
inline mlir::Value geluByTanh(const Scalars &s, mlir::Value x) { return s.apply("gelu_tanh", x); }

} // namespace sinter
