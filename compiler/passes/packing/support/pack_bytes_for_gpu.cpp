// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pack_bytes_for_gpu.h"

#include "byte_contractions.h"
#include "kernels/cuda/support/gpu_tile.h"
#include "pack_for_gpu.h"
#include "passes/support/contractions.h"

using namespace mlir;

namespace sinter {
namespace {

void packBytesOf(MatmulOp matmul, const Target &target, EvaluationCache &cache) {
  if (!isByteContraction(matmul) || !hasMatrixUnit(target, IntegerType::get(matmul.getContext(), 8)))
    return;
  OpBuilder b(matmul);
  BytePacker packer{b, matmul.getLoc(), cache};
  std::optional<Tensor> weights = packer.weights(matmul.getRhs(), matmul.isRhsUnsigned(), matmul.getRhsZero());
  if (!weights)
    return;
  Tensor rows = matmul.getTransposeRhs() ? *weights : packer.tensors().transpose(*weights, {1, 0});
  if (int64_t zero = matmul.getLhsZero())
    takeZeroOff(matmul, rows, zero, packer);
  matmul.getRhsMutable().assign(rows.value);
  matmul.setTransposeRhs(true);
  matmul.setLhsZero(0);
  matmul.setRhsZero(0);
  matmul.setSigns(matmul.isLhsUnsigned() ? "us" : "ss");
}

/// Whether a window reaches outside of the input.
bool isPadded(ConvOp conv, const ConvSizes &sizes) {
  for (int64_t d = 0; d < sizes.spatial; ++d) {
    int64_t low = conv.getPads()[d],
            reach = (sizes.out[d] - 1) * conv.getStrides()[d] + (sizes.taps[d] - 1) * conv.getDilations()[d] + 1;
    if (low > 0 || reach > low + sizes.in[d])
      return true;
  }
  return false;
}

void packBytesOf(ConvOp conv, const Target &target, EvaluationCache &cache) {
  std::optional<ConvSizes> sizes = sizesOfBytes(conv);
  if (!sizes)
    return;
  OpBuilder b(conv);
  BytePacker packer{b, conv.getLoc(), cache};
  std::optional<Tensor> weights = packer.weights(conv.getFilter(), conv.isFilterUnsigned(), conv.getFilterZero());
  if (!weights || !packFilterForGpu(conv, *weights, target))
    return;
  if (int64_t zero = conv.getInputZero()) {
    takeZeroOff(conv, *weights, zero, packer);
    if (isPadded(conv, *sizes))
      conv.setKernelAttr(conv.getKernelAttr().with("outside", b.getI64IntegerAttr(zero)));
  }
  conv.setInputZero(0);
  conv.setFilterZero(0);
  conv.setSigns(conv.isInputUnsigned() ? "us" : "ss");
}

} // namespace

void packBytesForGpu(ModuleOp module, const Target &target) {
  EvaluationCache cache;
  for (Operation *op : contractionsOf(module)) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      packBytesOf(matmul, target, cache);
    else
      packBytesOf(cast<ConvOp>(op), target, cache);
  }
}

} // namespace sinter
