// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "norms.h"

using namespace mlir;

namespace sinter {

ElementType computedAs(ElementType element) { return isNarrowFloat(element) ? ElementType::Float : element; }

Value powerOfNorm(const Scalars &s, Value x, double p) {
  if (p == 2)
    return s.mul(x, x);
  x = s.abs(x);
  return p == 1 ? x : s.b.create<math::PowFOp>(s.loc, x, s.constant(p)).getResult();
}

Value rootOfNorm(const Scalars &s, Value x, double p) {
  if (p == 1)
    return x;
  if (p == 2)
    return s.b.create<math::SqrtOp>(s.loc, x);
  return s.b.create<math::PowFOp>(s.loc, x, s.constant(1 / p));
}

Value indexAsFloat(const Scalars &s, Value index) {
  Value wide = s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), index);
  return s.castFromInteger(wide, Scalars{s.b, s.loc, ElementType::Int64});
}

} // namespace sinter
