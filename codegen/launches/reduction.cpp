// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction's own loops, around a number instead of a load and what the nest behind does instead of a store.
#include "launch_forms.h"

#include "codegen/bodies/nest_print.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {

FailureOr<Printed> printReduction(LaunchOp launch, const CodegenOptions &options, KernelFunction &function) {
  SmallVector<Operation *> ops = payloadsOf(launch);
  auto fill = cast<linalg::GenericOp>(ops[0]), reduction = cast<linalg::GenericOp>(ops[1]);
  auto last = ops.size() > 2 ? cast<linalg::GenericOp>(ops[2]) : linalg::GenericOp();
  Nest nest = planNest(reduction, function.values(), options.vectorBytes(), last);
  nest.initial = fill.getDpsInputs()[0];
  if (nest.sharing && nest.sharing->slices > 1) {
    nest.partials = launch.getInits().drop_back().back();
    nest.counters = launch.getInits().back();
  }
  if (failed(printNest(nest, function, options)))
    return failure();
  return Printed{"reduce", describeNest(nest, function.isOnDevice()).text().str()};
}

} // namespace sinter
