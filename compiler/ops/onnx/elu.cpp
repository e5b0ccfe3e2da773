// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elu, Selu, Celu: exponential below 0.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

namespace {
Value positive(const Scalars &s, Value x) { return s.compare(Compare::Greater, x, s.constant(0)); }
} // namespace

void register_elu(Registry &registry) {
  registry.onOp("Elu", {1, 6, 22}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultUnary(
        [&](const Scalars &s, Value x) { return s.select(positive(s, x), x, s.mul(s.constant(alpha), expm1(s, x))); });
  });
  registry.onOp("Selu", {1, 6, 22}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha"), gamma = op.real("gamma");
    return op.resultUnary([&](const Scalars &s, Value x) {
      return s.mul(s.constant(gamma), s.select(positive(s, x), x, s.mul(s.constant(alpha), expm1(s, x))));
    });
  });
  registry.onOp("Celu", {12, 28}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultUnary([&](const Scalars &s, Value x) {
      Value zero = s.constant(0), a = s.constant(alpha);
      return s.add(s.max(zero, x), s.min(zero, s.mul(a, expm1(s, s.div(x, a)))));
    });
  });
}

} // namespace sinter
