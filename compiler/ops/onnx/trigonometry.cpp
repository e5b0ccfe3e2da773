// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sin, Cos, Tan, their inverses, and the hyperbolic six.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_trigonometry(Registry &registry) {
  registry.onOp("Sin", {7, 22}, resultMath<math::SinOp>);
  registry.onOp("Cos", {7, 22}, resultMath<math::CosOp>);
  registry.onOp("Tan", {7, 22}, resultMath<math::TanOp>);
  registry.onOp("Asin", {7, 22}, resultMath<math::AsinOp>);
  registry.onOp("Acos", {7, 22}, resultMath<math::AcosOp>);
  registry.onOp("Atan", {7, 22}, resultMath<math::AtanOp>);
  registry.onOp("Sinh", {9, 22}, resultMath<math::SinhOp>);
  registry.onOp("Cosh", {9, 22}, resultMath<math::CoshOp>);
  registry.onOp("Tanh", {1, 6, 13}, resultMath<math::TanhOp>);
  registry.onOp("Asinh", {9, 22}, resultMath<math::AsinhOp>);
  registry.onOp("Acosh", {9, 22}, resultMath<math::AcoshOp>);
  registry.onOp("Atanh", {9, 22}, resultMath<math::AtanhOp>);
}

} // namespace sinter
