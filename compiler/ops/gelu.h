// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gelu: x times the normal distribution function, by erf or by its tanh approximation (Hendrycks, Gimpel, 2016).
#pragma once

#include "math.h"

namespace sinter {

inline mlir::Value geluByErf(const Scalars &s, mlir::Value x) {
  mlir::Value inner = erf(s, s.mul(x, s.constant(0.70710678118654752440))); // sqrt(1 / 2)
  return s.mul(s.mul(s.constant(0.5), x), s.add(s.constant(1), inner));
}

inline mlir::Value geluByTanh(const Scalars &s, mlir::Value x) {
  mlir::Value cubed = s.mul(s.constant(0.044715), s.mul(x, s.mul(x, x)));
  mlir::Value inner = tanh(s, s.mul(s.constant(0.79788456080286535588), s.add(x, cubed))); // sqrt(2 / pi)
  return s.mul(s.mul(s.constant(0.5), x), s.add(s.constant(1), inner));
}

} // namespace sinter
