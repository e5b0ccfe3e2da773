// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Add, Sub, Mul, Div, with numpy broadcasting since version 7 and the explicit kind of broadcasting before. Integer
// division truncates.
#include "ops/legacy_broadcast.h"

using namespace mlir;

namespace sinter {

namespace {
template <Value (Scalars::*operation)(Value, Value) const>
LogicalResult lowerArithmetic(Op &op) {
  return resultBroadcasting(op, op.input(0).element,
                            [](const Scalars &s, ValueRange v) { return (s.*operation)(v[0], v[1]); });
}
} // namespace

void register_arithmetic(Registry &registry) {
  registry.onOp("Add", {1, 6, 7, 13, 14}, "A[S~] B[S~]|{broadcast}[_*]", lowerArithmetic<&Scalars::add>);
  registry.onOp("Sub", {1, 6, 7, 13, 14}, "A[S~] B[S~]|{broadcast}[_*]", lowerArithmetic<&Scalars::sub>);
  registry.onOp("Mul", {1, 6, 7, 13, 14}, "A[S~] B[S~]|{broadcast}[_*]", lowerArithmetic<&Scalars::mul>);
  registry.onOp("Div", {1, 6, 7, 13, 14}, "A[S~] B[S~]|{broadcast}[_*]", lowerArithmetic<&Scalars::div>);
}

} // namespace sinter
