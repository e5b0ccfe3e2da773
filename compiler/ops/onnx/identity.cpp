// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identity, of tensors, sequences and optionals alike.
#include "ops/conversion.h"
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_identity(Registry &registry) {
  registry.onOp("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, "input[?]", [](Op &op) {
    FailureOr<Converted> value = op.conversion.take(op.node, 0);
    if (succeeded(value))
      op.conversion.bind(op.node.getResult(0), std::move(*value));
    return LogicalResult(value);
  });
}

} // namespace sinter
