// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that gather or widen their inputs do it in the arena, not on the stack: the contractions that need it get a
// buffer as an init behind their outputs. How many bytes follows from the kernel (its record says) and from how its
// operands lie in memory, so this runs on buffers, before they get their places.
#include "passes/passes.h"

#include "kernels/kernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {

template <class Contraction>
static void placeScratchOf(Contraction op, const Target &target, Threads threads) {
  const auto *kernel = kernelOf(op);
  if (!kernel || !kernel->scratch)
    return;
  auto [bytes, width] = kernel->scratch(op, target);
  if (bytes <= 0)
    return;
  if (kernel->call(op, target).scratchOfShare)
    bytes *= threads.count;
  OpBuilder b(op);
  auto elements = static_cast<int64_t>(llvm::divideCeil(bytes * 8, width));
  Value buffer = b.create<memref::AllocOp>(op.getLoc(), MemRefType::get({elements}, b.getIntegerType(width)));
  op.getInitsMutable().append(buffer);
}

LogicalResult placeScratch(ModuleOp module, const Target &target, Threads threads) {
  module.walk([&](ConvOp op) { placeScratchOf(op, target, threads); });
  module.walk([&](MatmulOp op) { placeScratchOf(op, target, threads); });
  return success();
}

} // namespace sinter
