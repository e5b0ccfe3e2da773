// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MatMul, and MatMulInteger: 8-bit operands less their zero points, product in int32.
#include "ops/contraction.h"
#include "ops/quantized_contractions.h"

using namespace mlir;

namespace sinter {

void register_matmul(Registry &registry) {
  registry.onOp("MatMul", {1, 9, 13}, "A[K]|[S~,M,K] B[K]|[S~,K,N]", [](Op &op) {
    Tensor b = op.input(1);
    auto integers = integerOperands(op, 0, 1, b.rank() - 1);
    if (!integers || b.rank() < 2) // a vector's product is no matrix, and small
      return op.result(numpyMatmul(op, op.input(0), b));
    const Dequantized &left = integers->left, &right = integers->right;
    FailureOr<Tensor> sums = quantizedMatmul(op, left.x, left.zero, right.x, right.zero);
    if (failed(sums))
      return LogicalResult(failure());
    return op.result(rescaled(op, *sums, *integers, sums->rank() - 1, op.input(0).element));
  });
  registry.onOp("MatMulInteger", {10},
                "A[K]|[S~,M,K] B[K]|[S~,K,N] a_zero_point[]|[1|M]|[_*,M,1] b_zero_point[]|[1|N]|[_*,1,N]", [](Op &op) {
                  auto zero = [&](unsigned i) { return op.inputOrNone(i); };
                  return op.result(quantizedMatmul(op, op.input(0), zero(2), op.input(1), zero(3)));
                });
}

} // namespace sinter
