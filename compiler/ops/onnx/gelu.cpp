// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gelu, by erf or by its tanh approximation.
#include "ops/gelu.h"

using namespace mlir;

namespace sinter {

void register_gelu(Registry &registry) {
  registry.onOp("Gelu", {20}, "X[_*]", [](Op &op) {
    StringRef approximate = op.string("approximate", "none");
    if (approximate != "none" && approximate != "tanh")
      return op.unsupported("approximate = '" + approximate + "'", "the standard has 'none' and 'tanh'");
    return op.resultUnary(
        [&](const Scalars &s, Value x) { return approximate == "tanh" ? geluByTanh(s, x) : geluByErf(s, x); });
  });
}

} // namespace sinter
