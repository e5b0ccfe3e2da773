// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gelu: x times the normal distribution function, by erf or by its tanh approximation.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_gelu(Registry &registry) {
  registry.onOp("Gelu", {20}, "X[_*]", [](Op &op) {
    StringRef approximate = op.string("approximate", "none");
    if (approximate != "none" && approximate != "tanh")
      return op.unsupported("approximate = '" + approximate + "'", "the standard has 'none' and 'tanh'");
    return op.resultUnary([&](const Scalars &s, Value x) {
      Value inner;
      if (approximate == "tanh") {
        Value cubed = s.mul(s.constant(0.044715), s.mul(x, s.mul(x, x)));
        inner = tanh(s, s.mul(s.constant(0.79788456080286535588), s.add(x, cubed))); // sqrt(2 / pi)
      } else {
        inner = erf(s, s.mul(x, s.constant(0.70710678118654752440))); // sqrt(1 / 2)
      }
      return s.mul(s.mul(s.constant(0.5), x), s.add(s.constant(1), inner));
    });
  });
}

} // namespace sinter
