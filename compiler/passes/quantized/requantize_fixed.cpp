// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.requantize, which multiplies by a factor in float and rounds, in integers for cores without an FPU (targets
// with `fpu: false`, --requant fixed): support/fixed_form.h has the formulas. Averages over whole maps become sums in
// integers first (pool_sums.h).
#include "passes/passes.h"

#include "passes/quantized/support/fixed_writer.h"
#include "passes/tiling/support/pool_sums.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {

LogicalResult requantizeFixed(ModuleOp module, Requant requant) {
  if (requant != Requant::Fixed)
    return success();
  module.walk([](func::FuncOp function) {
    for (Block &block : function.getBody())
      splitWholePools(block, PoolSums::Integers);
  });
  EvaluationCache cache;
  module.walk([&](Operation *op) {
    if (std::optional<ElementBody> body = ElementBody::of(op))
      writeFixed(*body, RescaleBy::Fixed, cache);
  });
  return success();
}

} // namespace sinter
