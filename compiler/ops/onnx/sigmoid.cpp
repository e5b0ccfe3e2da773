// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sigmoid, HardSigmoid, and x times them: Swish, HardSwish.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_sigmoid(Registry &registry) {
  registry.onOp("Sigmoid", {1, 6, 13},
                [](Op &op) { return op.resultUnary([](const Scalars &s, Value x) { return sigmoid(s, x); }); });
  registry.onOp("HardSigmoid", {1, 6, 22}, [](Op &op) {
    double alpha = op.real("alpha"), beta = op.real("beta");
    return op.resultUnary([&](const Scalars &s, Value x) {
      return clamp(s, s.add(s.mul(s.constant(alpha), x), s.constant(beta)), 0, 1);
    });
  });
  registry.onOp("HardSwish", {14, 22}, [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) {
      return s.mul(x, clamp(s, s.add(s.mul(s.constant(1.0 / 6), x), s.constant(0.5)), 0, 1));
    });
  });
  registry.onOp("Swish", {24}, [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultUnary(
        [&](const Scalars &s, Value x) { return s.mul(x, sigmoid(s, alpha == 1 ? x : s.mul(s.constant(alpha), x))); });
  });
}

} // namespace sinter
