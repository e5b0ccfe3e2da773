// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sigmoid, HardSigmoid, and x times them: Swish, HardSwish, SwiGLU.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

namespace {
Value swish(const Scalars &s, double alpha, Value x) {
  return s.mul(x, sigmoid(s, alpha == 1 ? x : s.mul(s.constant(alpha), x)));
}
} // namespace

void register_sigmoid(Registry &registry) {
  registry.onOp("Sigmoid", {1, 6, 13}, "X[_*]",
                [](Op &op) { return op.resultUnary([](const Scalars &s, Value x) { return sigmoid(s, x); }); });
  registry.onOp("HardSigmoid", {1, 6, 22}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha"), beta = op.real("beta");
    return op.resultUnary([&](const Scalars &s, Value x) {
      return clamp(s, s.add(s.mul(s.constant(alpha), x), s.constant(beta)), 0, 1);
    });
  });
  registry.onOp("HardSwish", {14, 22}, "X[_*]", [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) {
      return s.mul(x, clamp(s, s.add(s.mul(s.constant(1.0 / 6), x), s.constant(0.5)), 0, 1));
    });
  });
  registry.onOp("Swish", {24}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultUnary([&](const Scalars &s, Value x) { return swish(s, alpha, x); });
  });
  registry.onOp("SwiGLU", {28}, "A[S*] B[S*]", [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultBinary([&](const Scalars &s, Value gate, Value x) { return s.mul(swish(s, alpha, gate), x); });
  });
}

} // namespace sinter
