// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mod: the remainder with the sign of the divisor (Python's), or with fmod = 1 that of the dividend (C's).
#include "ops/math.h"

using namespace mlir;

namespace sinter {

namespace {
Value remainderOf(const Scalars &s, Value x, Value y) {
  if (s.isFloat())
    return s.b.create<arith::RemFOp>(s.loc, x, y);
  return s.isUnsigned() ? s.b.create<arith::RemUIOp>(s.loc, x, y).getResult()
                        : s.b.create<arith::RemSIOp>(s.loc, x, y).getResult();
}
} // namespace

void register_mod(Registry &registry) {
  registry.onOp("Mod", {10, 13, 28}, "A[S~] B[S~] fmod=0|1", [](Op &op) {
    bool likeC = op.integer("fmod");
    if (!likeC && op.since < 28 && isFloat(op.input(0).element))
      return op.fail(Code::WrongOperandType, "Mod of floats is C's before opset 28: fmod = 1");
    return op.resultBinary([&](const Scalars &s, Value x, Value y) -> Value {
      Value r = remainderOf(s, x, y), zero = s.constant(0);
      if (likeC || s.isUnsigned())
        return r;
      Value signsDiffer =
          s.b.create<arith::XOrIOp>(s.loc, s.compare(Compare::Less, r, zero), s.compare(Compare::Less, y, zero));
      Value isZero = s.compare(Compare::Equal, r, zero);
      Value moved = s.select(signsDiffer, s.add(r, y), r);
      Value atZero = s.isFloat() ? s.b.create<math::CopySignOp>(s.loc, zero, y).getResult() : zero;
      return s.select(isZero, atZero, moved);
    });
  });
}

} // namespace sinter
