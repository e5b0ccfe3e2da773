// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MatMul, and MatMulInteger: 8-bit operands less their zero points, product in int32.
#include "ops/contraction.h"

using namespace mlir;

namespace sinter {

namespace {
/// Operand i as int32 less zero point z: a scalar, or one for each row of the left (column of the right) operand.
Tensor centered(Op &op, unsigned i, unsigned z) {
  Tensor x = op.input(i);
  if (!op.has(z))
    return op.cast(x, ElementType::Int32);
  Tensor zero = op.input(z);
  if (zero.rank() == 1 && i == 0 && x.rank() > 1)
    zero = op.unsqueeze(zero, 1);
  return op.elementwise({x, zero}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
    Scalars wide{s.b, s.loc, ElementType::Int32};
    return wide.sub(s.castTo(ElementType::Int32, v[0]),
                    Scalars{s.b, s.loc, zero.element}.castTo(ElementType::Int32, v[1]));
  });
}
} // namespace

void register_matmul(Registry &registry) {
  registry.onOp("MatMul", {1, 9, 13}, [](Op &op) { return op.result(numpyMatmul(op, op.input(0), op.input(1))); });
  registry.onOp("MatMulInteger", {10},
                [](Op &op) { return op.result(numpyMatmul(op, centered(op, 0, 2), centered(op, 1, 3))); });
}

} // namespace sinter
