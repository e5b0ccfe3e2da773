// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes behind this one may rely on what assertions say: where one is false for all inputs, sizes in the types around
// it contradict each other, and there is nothing to compile. The driver says which node is to blame.
#include "passes/passes.h"

#include "support/contradictions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {

SmallVector<cf::AssertOp> contradictionsIn(ModuleOp module) {
  SmallVector<cf::AssertOp> found;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      for (cf::AssertOp assertion : function.getBody().front().getOps<cf::AssertOp>())
        if (matchPattern(assertion.getArg(), m_Zero()))
          found.push_back(assertion);
  return found;
}

LogicalResult checkAssertions(ModuleOp module) {
  SmallVector<cf::AssertOp> contradictions = contradictionsIn(module);
  for (cf::AssertOp assertion : contradictions)
    assertion.emitError() << "'" << assertion.getMsg() << "' holds for no input";
  return success(contradictions.empty());
}

} // namespace sinter
