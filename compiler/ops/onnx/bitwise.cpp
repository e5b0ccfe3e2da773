// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot and BitShift. A shift by the width or more, or by less than 0, moves
// all bits out.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
template <class BitOp>
LogicalResult lowerBitwise(Op &op) {
  return op.resultBinary([](const Scalars &s, Value x, Value y) -> Value { return s.b.create<BitOp>(s.loc, x, y); });
}

LogicalResult lowerShift(Op &op) {
  StringRef direction = op.string("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    return op.unsupported("direction = '" + direction + "'", "it is LEFT or RIGHT");
  return op.resultBinary([&](const Scalars &s, Value x, Value count) -> Value {
    if (direction == "LEFT")
      return s.b.create<arith::ShLIOp>(s.loc, x, count);
    if (s.isUnsigned())
      return s.b.create<arith::ShRUIOp>(s.loc, x, count);
    // What comes in from the left is the sign, so the longest shift that still counts says it all.
    Value longest = s.integer(bitWidth(s.type) - 1);
    Value limited = s.b.create<arith::MinUIOp>(s.loc, count, longest);
    return s.b.create<arith::ShRSIOp>(s.loc, x, limited);
  });
}
} // namespace

void register_bitwise(Registry &registry) {
  registry.onOp("BitwiseAnd", {18}, "A[S~] B[S~]", lowerBitwise<arith::AndIOp>);
  registry.onOp("BitwiseOr", {18}, "A[S~] B[S~]", lowerBitwise<arith::OrIOp>);
  registry.onOp("BitwiseXor", {18}, "A[S~] B[S~]", lowerBitwise<arith::XOrIOp>);
  registry.onOp("BitwiseNot", {18}, "X[_*]", [](Op &op) {
    return op.resultUnary(
        [](const Scalars &s, Value x) -> Value { return s.b.create<arith::XOrIOp>(s.loc, x, s.integer(-1)); });
  });
  registry.onOp("BitShift", {11, 28}, "X[S~] Y[S~] direction=LEFT|RIGHT", lowerShift);
}

} // namespace sinter
