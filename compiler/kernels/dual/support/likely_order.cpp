// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pack-dual is the last to choose, after row tiles: until then convolutions of bytes are expected to be for it.
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {

std::optional<KernelOrder> likelyOrderOf(ConvOp op, const Target &target) {
  bool isOpen = !op.getKernelAttr() && op->getNumResults() && target.byteKernels == ByteKernels::Dual &&
                getElementTypeOrSelf(op.getInput().getType()).getIntOrFloatBitWidth() <= 8;
  if (!isOpen)
    return orderOf(op.getKernelAttr());
  return kernelNamed(op.getGroup() > 1 ? "dual_depthwise" : "dual_conv")->conv->order({});
}

} // namespace sinter
