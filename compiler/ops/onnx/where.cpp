// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where: x where the condition holds, y elsewhere.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_where(Registry &registry) {
  registry.onOp("Where", {9, 16}, "condition[S~] X[S~] Y[S~]", [](Op &op) {
    Tensor condition = op.input(0), x = op.input(1), y = op.input(2);
    return op.resultElementwiseRaw({condition, x, y}, x.element,
                                   [](const Scalars &s, ValueRange v) { return s.select(v[0], v[1], v[2]); });
  });
}

} // namespace sinter
