// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrink: 0 within lambd of 0, elsewhere x moved towards 0 by bias. Integers are compared and moved as floats.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_shrink(Registry &registry) {
  registry.onOp("Shrink", {9}, "input[_*]", [](Op &op) {
    double bias = op.real("bias"), lambd = op.real("lambd");
    ElementType type = op.input(0).element;
    ElementType within = isFloat(type) ? type : ElementType::Double;
    return op.resultUnary([&](const Scalars &outer, Value given) {
      Scalars s{outer.b, outer.loc, within};
      Value x = outer.castTo(within, given), zero = s.constant(0);
      Value lower = s.select(s.compare(Compare::Less, x, s.constant(-lambd)), s.add(x, s.constant(bias)), zero);
      Value y = s.select(s.compare(Compare::Greater, x, s.constant(lambd)), s.sub(x, s.constant(bias)), lower);
      return s.castTo(type, y);
    });
  });
}

} // namespace sinter
