// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Max, Min, Sum, Mean of any number of operands, in one loop nest. NaN wins in Max and Min.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
template <Value (Scalars::*operation)(Value, Value) const, bool mean = false>
LogicalResult lowerMinMax(Op &op) {
  SmallVector<Tensor> inputs = op.inputs();
  if (inputs.size() == 1)
    return op.result(inputs[0]);
  return op.resultElementwise(inputs, inputs[0].element, [&](const Scalars &s, ValueRange v) {
    Value result = v[0];
    for (Value x : v.drop_front())
      result = (s.*operation)(result, x);
    return mean ? s.div(result, s.constant(inputs.size())) : result;
  });
}
} // namespace

void register_min_max(Registry &registry) {
  registry.onOp("Max", {1, 6, 8, 12, 13}, "data_0[S~]", lowerMinMax<&Scalars::max>);
  registry.onOp("Min", {1, 6, 8, 12, 13}, "data_0[S~]", lowerMinMax<&Scalars::min>);
  registry.onOp("Sum", {1, 6, 8, 13}, "data_0[S~]", lowerMinMax<&Scalars::add>);
  registry.onOp("Mean", {1, 6, 8, 13}, "data_0[S~]", lowerMinMax<&Scalars::add, true>);
}

} // namespace sinter
