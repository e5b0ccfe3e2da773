// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter.launch -> one function, by its form.
#include "launch_forms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace sinter {

SmallVector<Operation *> payloadsOf(LaunchOp launch) {
  SmallVector<Operation *> ops;
  for (Operation &op : launch.getBody().front())
    if (KernelList::isPayload(&op))
      ops.push_back(&op);
  return ops;
}

FailureOr<Printed> printLaunch(Operation *op, const CodegenOptions &options, KernelFunction &function) {
  static const std::pair<StringRef, PrintForm> forms[] = {{"reduction", printReduction},
                                                          {"in_turn", printInTurn},
                                                          {"side_by_side", printSideBySide},
                                                          {"normed_products", printNormedProducts},
                                                          {"inverted_residual", printInvertedResidual}};
  auto launch = cast<LaunchOp>(op);
  for (auto [name, print] : forms)
    if (name == launch.getForm())
      return print(launch, options, function);
  return op->emitOpError("has a form that nobody prints");
}

} // namespace sinter
