// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: Gelu, BiasGelu, FastGelu (by tanh, with an optional bias), QuickGelu (by sigmoid).
#include "ops/domains.h"
#include "ops/gelu.h"

using namespace mlir;

namespace sinter {

namespace {
template <Value (*gelu)(const Scalars &, Value)>
LogicalResult lowerContribGelu(Op &op) {
  if (!op.has(1))
    return op.resultUnary([](const Scalars &s, Value x) { return gelu(s, x); });
  return op.resultBinary([](const Scalars &s, Value x, Value bias) { return gelu(s, s.add(x, bias)); });
}
} // namespace

void register_contrib_gelu(Registry &registry) {
  registry.onOp("Gelu", {1}, "X[_*]", lowerContribGelu<geluByErf>, microsoftDomain);
  registry.onOp("BiasGelu", {1}, "A[_*,C] B[C]", lowerContribGelu<geluByErf>, microsoftDomain);
  registry.onOp("FastGelu", {1}, "X[_*,C] bias[C]", lowerContribGelu<geluByTanh>, microsoftDomain);
  registry.onOp(
      "QuickGelu", {1}, "X[_*]",
      [](Op &op) {
        double alpha = op.real("alpha");
        return op.resultUnary(
            [&](const Scalars &s, Value x) { return s.mul(x, sigmoid(s, s.mul(s.constant(alpha), x))); });
      },
      microsoftDomain);
}

} // namespace sinter
