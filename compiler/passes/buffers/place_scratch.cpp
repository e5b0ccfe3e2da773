// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that gather or widen their inputs do it in the arena, not on the stack: the contractions that need it get a
// buffer as an init behind their outputs. How many bytes follows from the kernel (its record says) and from how its
// operands lie in memory, so this runs on buffers, before they get their places. What templates of their own work in
// is there for each thread then, too.
#include "passes/passes.h"

#include "ir/bands.h"
#include "ir/template_places.h"
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
  if (kernel->call(op, target).scratchOfShare && !bandsAround(op))
    bytes *= threads.count;
  OpBuilder b(op);
  auto elements = static_cast<int64_t>(llvm::divideCeil(bytes * 8, width));
  Value buffer = b.create<memref::AllocOp>(op.getLoc(), MemRefType::get({elements}, b.getIntegerType(width)));
  op.getInitsMutable().append(buffer);
}

/// Each thread that shares a kernel has a row of what it works in: [threads, n] in place of [n].
static void multiplyScratch(KernelOp kernel, Threads threads) {
  const TemplatePlaces *places = templatePlacesOf(kernel.getKernel());
  if (threads.count <= 1 || !places || !places->hasScratch || bandsAround(kernel))
    return;
  Value scratch = kernel.getInits().back();
  auto type = cast<MemRefType>(scratch.getType());
  auto alloc = scratch.getDefiningOp<memref::AllocOp>();
  if (!alloc || type.getRank() != 1)
    return;
  OpBuilder b(kernel);
  Value rows = b.create<memref::AllocOp>(kernel.getLoc(),
                                         MemRefType::get({threads.count, type.getDimSize(0)}, type.getElementType()),
                                         alloc.getDynamicSizes());
  kernel.getInitsMutable()[kernel.getInits().size() - 1].assign(rows);
  if (alloc->use_empty())
    alloc->erase();
}

LogicalResult placeScratch(ModuleOp module, const Target &target, Threads threads) {
  module.walk([&](ConvOp op) { placeScratchOf(op, target, threads); });
  module.walk([&](MatmulOp op) { placeScratchOf(op, target, threads); });
  module.walk([&](KernelOp op) { multiplyScratch(op, threads); });
  return success();
}

} // namespace sinter
