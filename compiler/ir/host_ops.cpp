// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_ops.h"

#include "libraries.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sinter {

llvm::StringRef reasonForHost(Operation *op) {
  if (auto kernel = dyn_cast<KernelOp>(op); kernel && kernel.getHeader())
    return "a custom operator is a function of the host";
  if (!librariesOf(op).empty())
    return "it calls libraries of the host";
  auto isOfStrings = [](Type type) {
    auto memory = dyn_cast<BaseMemRefType>(type);
    return memory && isa<StringType>(memory.getElementType());
  };
  bool hasStrings = llvm::any_of(op->getOperandTypes(), isOfStrings);
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *captured) { // what a body gathers from
    hasStrings |= isOfStrings(captured->get().getType());
  });
  return hasStrings ? "strings are pointers into the host's memory" : "";
}

} // namespace sinter
