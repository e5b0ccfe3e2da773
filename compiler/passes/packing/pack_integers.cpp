// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of bytes get the kernels of their target: the constant operand in the order that the kernel reads,
// `packed` naming it, zero points folded into the epilogue. What no kernel takes stays as it is, for the kernels of all
// integers.
#include "passes/passes.h"

#include "kernels/im2col/support/im2col_core.h"
#include "passes/packing/support/pack_bytes_for_gpu.h"
#include "passes/packing/support/pack_dot4.h"
#include "passes/packing/support/pack_im2col.h"

using namespace mlir;

namespace sinter {

LogicalResult packIntegers(ModuleOp module, const Target &target, Requant requant) {
  if (target.isGpu())
    packBytesForGpu(module, target);
  if (target.byteKernels == ByteKernels::Dot4)
    packDot4(module, target);
  if (const Im2colCore *core = im2colCore(target))
    packIm2col(module, *core, requant);
  return success();
}

} // namespace sinter
