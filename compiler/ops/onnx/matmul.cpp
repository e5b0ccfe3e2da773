// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MatMul, and MatMulInteger: 8-bit operands less their zero points, product in int32.
#include "ops/contraction.h"
#include "ops/quantized_products.h"

using namespace mlir;

namespace sinter {

void register_matmul(Registry &registry) {
  registry.onOp("MatMul", {1, 9, 13}, [](Op &op) { return op.result(numpyMatmul(op, op.input(0), op.input(1))); });
  registry.onOp("MatMulInteger", {10}, [](Op &op) {
    auto zero = [&](unsigned i) { return op.has(i) ? op.input(i) : Tensor(); };
    return op.result(quantizedMatmul(op, op.input(0), zero(2), op.input(1), zero(3)));
  });
}

} // namespace sinter
