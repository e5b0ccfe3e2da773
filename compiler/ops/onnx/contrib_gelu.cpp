// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: Gelu, BiasGelu, FastGelu (by tanh, with an optional bias), QuickGelu (by sigmoid).
#include "ops/math.h"

using namespace mlir;

namespace sinter {

namespace {
constexpr const char *domain = "com.microsoft";

Value byErf(const Scalars &s, Value x) {
  return s.mul(s.mul(s.constant(0.5), x), s.add(s.constant(1), erf(s, s.mul(x, s.constant(0.70710678118654752440)))));
}

Value byTanh(const Scalars &s, Value x) {
  Value cubed = s.mul(s.constant(0.044715), s.mul(x, s.mul(x, x)));
  Value inner = tanh(s, s.mul(s.constant(0.79788456080286535588), s.add(x, cubed))); // sqrt(2 / pi)
  return s.mul(s.mul(s.constant(0.5), x), s.add(s.constant(1), inner));
}

template <Value (*gelu)(const Scalars &, Value)>
LogicalResult lower(Op &op) {
  if (!op.has(1))
    return op.resultUnary([](const Scalars &s, Value x) { return gelu(s, x); });
  return op.resultBinary([](const Scalars &s, Value x, Value bias) { return gelu(s, s.add(x, bias)); });
}
} // namespace

void register_contrib_gelu(Registry &registry) {
  registry.onOp("Gelu", {1}, "X[_*]", lower<byErf>, domain);
  registry.onOp("BiasGelu", {1}, "A[_*,C] B[C]", lower<byErf>, domain);
  registry.onOp("FastGelu", {1}, "X[_*,C] bias[C]", lower<byTanh>, domain);
  registry.onOp(
      "QuickGelu", {1}, "X[_*]",
      [](Op &op) {
        double alpha = op.real("alpha");
        return op.resultUnary(
            [&](const Scalars &s, Value x) { return s.mul(x, sigmoid(s, s.mul(s.constant(alpha), x))); });
      },
      domain);
}

} // namespace sinter
