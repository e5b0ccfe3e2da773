// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// And, Or, Xor, Not on bool.
#include "ops/legacy_broadcast.h"

using namespace mlir;

namespace sinter {

namespace {
template <class BitOp>
LogicalResult lowerLogical(Op &op) {
  return resultBroadcasting(op, ElementType::Bool, [](const Scalars &s, ValueRange v) -> Value {
    return s.b.create<BitOp>(s.loc, v[0], v[1]);
  });
}
} // namespace

void register_logical(Registry &registry) {
  registry.onOp("And", {1, 7}, "A[S~] B[S~]|{broadcast}[_*]", lowerLogical<arith::AndIOp>);
  registry.onOp("Or", {1, 7}, "A[S~] B[S~]|{broadcast}[_*]", lowerLogical<arith::OrIOp>);
  registry.onOp("Xor", {1, 7}, "A[S~] B[S~]|{broadcast}[_*]", lowerLogical<arith::XOrIOp>);
  registry.onOp("Not", {1}, "X[_*]", [](Op &op) {
    return op.resultUnary(
        [](const Scalars &s, Value x) -> Value { return s.b.create<arith::XOrIOp>(s.loc, x, s.constant(1)); });
  });
}

} // namespace sinter
