// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sin, Cos, Tan, their inverses, and the hyperbolic six.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_trigonometry(Registry &registry) {
  registry.onOp("Sin", {7, 22}, "input[_*]", resultMath<math::SinOp>);
  registry.onOp("Cos", {7, 22}, "input[_*]", resultMath<math::CosOp>);
  registry.onOp("Tan", {7, 22}, "input[_*]", resultMath<math::TanOp>);
  registry.onOp("Asin", {7, 22}, "input[_*]", resultMath<math::AsinOp>);
  registry.onOp("Acos", {7, 22}, "input[_*]", resultMath<math::AcosOp>);
  registry.onOp("Atan", {7, 22}, "input[_*]", resultMath<math::AtanOp>);
  registry.onOp("Sinh", {9, 22}, "input[_*]", resultMath<math::SinhOp>);
  registry.onOp("Cosh", {9, 22}, "input[_*]", resultMath<math::CoshOp>);
  registry.onOp("Tanh", {1, 6, 13}, "input[_*]", resultMath<math::TanhOp>);
  registry.onOp("Asinh", {9, 22}, "input[_*]", resultMath<math::AsinhOp>);
  registry.onOp("Acosh", {9, 22}, "input[_*]", resultMath<math::AcoshOp>);
  registry.onOp("Atanh", {9, 22}, "input[_*]", resultMath<math::AtanhOp>);
}

} // namespace sinter
