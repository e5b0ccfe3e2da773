// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ceil, Floor, Round (halves to even).
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_rounding(Registry &registry) {
  registry.onOp("Ceil", {1, 6, 13}, "X[_*]", resultMath<math::CeilOp>);
  registry.onOp("Floor", {1, 6, 13}, "X[_*]", resultMath<math::FloorOp>);
  registry.onOp("Round", {11, 22}, "X[_*]", resultMath<math::RoundEvenOp>);
}

} // namespace sinter
