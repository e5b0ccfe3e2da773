// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exp, Log, Erf, Sqrt, Reciprocal.
#include "ops/math.h"

using namespace mlir;

namespace sinter {

void register_exp(Registry &registry) {
  registry.onOp("Exp", {1, 6, 13}, "input[_*]", resultMath<math::ExpOp>);
  registry.onOp("Log", {1, 6, 13}, "input[_*]", resultMath<math::LogOp>);
  registry.onOp("Erf", {9, 13}, "input[_*]", [](Op &op) {
    if (isFloat(op.input(0).element))
      return resultMath<math::ErfOp>(op);
    return op.resultUnary([](const Scalars &s, Value x) { // integers: erf in double, then truncated
      Scalars wide{s.b, s.loc, ElementType::Double};
      return wide.castTo(s.type, erf(wide, s.castTo(ElementType::Double, x)));
    });
  });
  registry.onOp("Sqrt", {1, 6, 13}, "X[_*]", resultMath<math::SqrtOp>);
  registry.onOp("Reciprocal", {1, 6, 13}, "X[_*]", [](Op &op) {
    return op.resultUnary([](const Scalars &s, Value x) { return s.div(s.constant(1), x); });
  });
}

} // namespace sinter
