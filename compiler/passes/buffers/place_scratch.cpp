// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that gather or widen their inputs do it in the arena, not on the stack: the products that need it get a
// buffer as an init behind their outputs. How many bytes follows from the kernel
// and from how its operands lie in memory, so this runs on buffers, before they get their places.
#include "passes/passes.h"

#include "passes/packing/support/line_scratch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {
namespace {

/// `elements` of `bits`.
template <class Product>
void place(Product op, int64_t elements, unsigned bits) {
  if (elements <= 0)
    return;
  OpBuilder b(op);
  Value buffer = b.create<memref::AllocOp>(op.getLoc(), MemRefType::get({elements}, b.getIntegerType(bits)));
  op.getInitsMutable().append(buffer);
}

} // namespace

LogicalResult placeScratch(ModuleOp module, const Target &target) {
  const LineCore *core = lineCore(target);
  module.walk([&](ConvOp op) {
    KernelAttr kernel = op.getKernelAttr();
    if (kernel && kernel.has("scratch_words")) // pack-dual
      place(op, kernel.number("scratch_words") * 2, 16);
    else
      place(op, lineScratch(op, core), 8);
    if (kernel && kernel.getName() == "conv_lines" && !readsLinesInPlace(op, core))
      op.setKernelAttr(kernel.with("copies_lines", UnitAttr::get(op.getContext())));
  });
  module.walk([&](MatmulOp op) { place(op, lineScratch(op, core), 8); });
  return success();
}

} // namespace sinter
