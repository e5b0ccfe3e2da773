// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ceil, Floor, Round (halves to even).
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_rounding(Registry &registry) {
  registry.onOp("Ceil", {1, 6, 13}, resultMath<math::CeilOp>);
  registry.onOp("Floor", {1, 6, 13}, resultMath<math::FloorOp>);
  registry.onOp("Round", {11, 22}, resultMath<math::RoundEvenOp>);
}

} // namespace sinter
