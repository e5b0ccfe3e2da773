// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_weights.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {

std::optional<BlockWeightsOp> blockWeightsOf(Value value) {
  bool isTransposed = false;
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    if (transpose.getPermutation().size() != 2)
      return std::nullopt;
    isTransposed ^= transpose.getPermutation()[0] == 1;
    value = transpose.getInput();
  }
  auto op = value.getDefiningOp<KernelOp>();
  if (!op || op.getKernel() != "dequantize_blocks")
    return std::nullopt;
  return BlockWeightsOp{op, isTransposed};
}

} // namespace sinter
