// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass io-in-arena (--io-in-arena): the caller's buffers become allocations with the attribute sinter.input or
// sinter.output, which the plan places like any other; liveness.cpp knows that an input is there from the call's begin
// and an output to its end. State lives from call to call and stays the caller's.
#include "passes/passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sinter {

LogicalResult ioInArena(ModuleOp module) {
  if (!module->hasAttr("sinter.io_in_arena"))
    return success();
  llvm::DenseSet<uint64_t> states;
  DenseMap<uint64_t, Value> inputs; // one allocation for all readers of an input
  module.walk([&](InputOp op) {
    if (op.getState())
      states.insert(op.getIndex());
  });
  auto allocate = [](auto op, StringRef attribute) {
    OpBuilder builder(op);
    auto alloc = builder.create<memref::AllocOp>(op.getLoc(), cast<MemRefType>(op.getType()), op.getSizes());
    alloc->setAttr(attribute, builder.getI64IntegerAttr(static_cast<int64_t>(op.getIndex())));
    return alloc.getResult();
  };
  module.walk([&](Operation *op) {
    if (auto input = dyn_cast<InputOp>(op)) {
      if (states.contains(input.getIndex()))
        return;
      Value &buffer = inputs[input.getIndex()];
      if (!buffer)
        buffer = allocate(input, "sinter.input");
      input.replaceAllUsesWith(buffer);
      input.erase();
    } else if (auto output = dyn_cast<OutputOp>(op)) {
      output.replaceAllUsesWith(allocate(output, "sinter.output"));
      output.erase();
    }
  });
  return success();
}

} // namespace sinter
