// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clip: min(max(x, low), high), limits as attributes (before 11) or operands, each optional. Limits known now become
// constants of the body.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
Value constantLike(const Scalars &s, const HostTensor &host) {
  return s.isFloat() ? s.constant(host.numberAt(0)) : s.integer(host.integerAt(0));
}
} // namespace

void register_clip(Registry &registry) {
  registry.onOp("Clip", {1, 6}, "input[_*] min[]|[1] max[]|[1]", [](Op &op) {
    return op.resultUnary([&](const Scalars &s, Value x) {
      if (op.hasAttribute("min"))
        x = s.max(x, s.constant(op.real("min")));
      return op.hasAttribute("max") ? s.min(x, s.constant(op.real("max"))) : x;
    });
  });
  registry.onOp("Clip", {11, 12, 13}, "input[_*] min[]|[1] max[]|[1]", [](Op &op) {
    SmallVector<Tensor> operands{op.input(0)};
    std::optional<HostTensor> known[2];
    for (unsigned i : {0u, 1u}) {
      if (!op.has(1 + i))
        continue;
      known[i] = op.contents(1 + i);
      if (known[i] && known[i]->size() != 1)
        return op.fail(Code::ShapeMismatch, i ? "'max' is not a scalar" : "'min' is not a scalar");
      if (!known[i])
        operands.push_back(op.reshape(op.input(1 + i), {}));
    }
    return op.resultElementwise(operands, operands[0].element, [&](const Scalars &s, ValueRange v) {
      Value x = v[0];
      unsigned next = 1;
      if (op.has(1))
        x = s.max(x, known[0] ? constantLike(s, *known[0]) : v[next++]);
      if (op.has(2))
        x = s.min(x, known[1] ? constantLike(s, *known[1]) : v[next]);
      return x;
    });
  });
}

} // namespace sinter
