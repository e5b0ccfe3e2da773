// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softplus, Softsign, Mish.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_softplus(Registry &registry) {
  registry.onOp("Softplus", {1, 22}, "X[_*]",
                [](Op &op) { return op.resultUnary([](const Scalars &s, Value x) { return softplus(s, x); }); });
  registry.onOp("Softsign", {1, 22}, "input[_*]", [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) { return s.div(x, s.add(s.constant(1), s.abs(x))); });
  });
  registry.onOp("Mish", {18, 22}, "X[_*]", [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) { return s.mul(x, tanh(s, softplus(s, x))); });
  });
}

} // namespace sinter
