// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relu: max(x, 0).
#include "ops/lowering.h"

namespace sinter {

void register_relu(Registry &registry) {
  registry.onOp("Relu", {1, 6, 13, 14}, [](Op &op) {
    return op.resultUnary([](const Scalars &s, mlir::Value x) { return s.max(x, s.constant(0)); });
  });
}

} // namespace sinter
