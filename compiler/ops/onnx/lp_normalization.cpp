// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LpNormalization: x over its L1 or L2 norm along an axis; 0 where the norm is.
#include "ops/math.h"
#include "ops/moments.h"

using namespace mlir;

namespace sinter {

void register_lp_normalization(Registry &registry) {
  registry.onOp("LpNormalization", {1, 22}, "input[_+] axis@input p=1|2", [](Op &op) {
    Tensor x = op.input(0);
    FailureOr<int64_t> axis = op.axis(op.integer("axis", -1), x.rank());
    int64_t p = op.integer("p", 2);
    if (failed(axis))
      return failure();
    if (p != 1 && p != 2)
      return op.unsupported("p = " + Twine(p), "the standard has 1 and 2");
    Tensor norm = op.reduce(
        x, *axis, true, statisticsType(x.element), [](const Scalars &s) { return s.constant(0); },
        [&](const Scalars &s, Value acc, Value v) { return s.add(acc, p == 1 ? s.abs(v) : s.mul(v, v)); });
    if (p == 2) // a root of each sum, not of each element
      norm = op.elementwise({norm}, norm.element, [](const Scalars &s, ValueRange v) { return sqrt(s, v[0]); });
    return op.result(op.elementwise({x, norm}, x.element, [&](const Scalars &s, ValueRange v) {
      Scalars wide{s.b, s.loc, norm.element};
      Value zero = wide.constant(0), quotient = wide.div(s.castTo(norm.element, v[0]), v[1]);
      return wide.castTo(x.element, wide.select(wide.compare(Compare::Equal, v[1], zero), zero, quotient));
    }));
  });
}

} // namespace sinter
