// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Abs, Neg, Sign, for all numeric types.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_sign(Registry &registry) {
  registry.onOp("Abs", {1, 6, 13}, "X[_*]",
                [](Op &op) { return op.resultUnary([](const Scalars &s, Value x) { return s.abs(x); }); });
  registry.onOp("Neg", {1, 6, 13}, "X[_*]",
                [](Op &op) { return op.resultUnary([](const Scalars &s, Value x) { return s.neg(x); }); });
  registry.onOp("Sign", {9, 13}, "input[_*]", [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) {
      Value zero = s.constant(0);
      Value positive = s.select(s.compare(Compare::Greater, x, zero), s.constant(1), x); // x where it is 0 or NaN
      return s.isUnsigned() ? positive : s.select(s.compare(Compare::Less, x, zero), s.constant(-1), positive);
    });
  });
}

} // namespace sinter
