// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relu and its kin that are linear on both sides: LeakyRelu, ThresholdedRelu, PRelu (a slope for each element or
// channel).
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
/// x below 0 times slope.
Value leaky(const Scalars &s, Value x, Value slope) {
  return s.select(s.compare(Compare::Less, x, s.constant(0)), s.mul(slope, x), x);
}
} // namespace

void register_relu(Registry &registry) {
  registry.onOp("Relu", {1, 6, 13, 14}, "X[_*]", [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) { return s.max(x, s.constant(0)); });
  });
  registry.onOp("LeakyRelu", {1, 6, 16}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultUnary([&](const Scalars &s, Value x) { return leaky(s, x, s.constant(alpha)); });
  });
  registry.onOp("ThresholdedRelu", {10, 22}, "X[_*]", [](Op &op) {
    double alpha = op.real("alpha");
    return op.resultUnary([&](const Scalars &s, Value x) {
      return s.select(s.compare(Compare::Greater, x, s.constant(alpha)), x, s.constant(0));
    });
  });
  Lowering prelu = [](Op &op) {
    Tensor x = op.input(0), slope = op.input(1);
    // Before 7 a slope of several elements is one for each channel, dim 1.
    if (op.since < 7 && slope.rank() == 1 && x.rank() > 2 && slope.shape()[0] != 1)
      slope = op.unsqueeze(slope, llvm::to_vector(llvm::seq<int64_t>(1, x.rank() - 1)));
    return op.resultElementwise({x, slope}, x.element,
                                [](const Scalars &s, ValueRange v) { return leaky(s, v[0], v[1]); });
  };
  registry.onOp("PRelu", {1, 6}, "X[N,C,R*]|[_*] slope[1|C]|[_*] {rank(slope)!=1}slope~[N,C,R*]", prelu);
  registry.onOp("PRelu", {7, 9, 16}, "X[S~] slope[S~]", prelu);
}

} // namespace sinter
