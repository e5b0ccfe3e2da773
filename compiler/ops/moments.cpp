// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "moments.h"

#include "math.h"
#include "reduction_axes.h"

using namespace mlir;

namespace sinter {

ElementType statisticsType(ElementType type) { return isNarrowFloat(type) ? ElementType::Float : type; }

Tensor meanOver(Op &op, Tensor x, ArrayRef<int64_t> axes) {
  Tensor sum = op.reduce(
      x, axes, true, x.element, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  Size count = elementCount(op, x, axes);
  return op.elementwise({sum}, x.element,
                        [&](const Scalars &s, ValueRange v) { return s.div(v[0], reducedCount(s, count)); });
}

Moments moments(Op &op, Tensor x, ArrayRef<int64_t> axes) {
  Tensor mean = meanOver(op, x, axes);
  Tensor squares = op.elementwise({x, mean}, x.element, [](const Scalars &s, ValueRange v) {
    Value d = s.sub(v[0], v[1]);
    return s.mul(d, d);
  });
  return {mean, meanOver(op, squares, axes)};
}

Normalized normalize(Op &op, Tensor x, ArrayRef<int64_t> axes, double epsilon) {
  Moments m = moments(op, x, axes);
  Tensor inverse = op.elementwise({m.variance}, x.element, [&](const Scalars &s, ValueRange v) {
    return s.div(s.constant(1), sqrt(s, s.add(v[0], s.constant(epsilon))));
  });
  Tensor y = op.elementwise({x, m.mean, inverse}, x.element,
                            [](const Scalars &s, ValueRange v) { return s.mul(s.sub(v[0], v[1]), v[2]); });
  return {y, m.mean, inverse};
}

Tensor scaleAndShift(Op &op, Tensor y, Tensor scale, Tensor bias, ElementType out) {
  SmallVector<Tensor> operands{y, scale};
  if (bias)
    operands.push_back(bias);
  return op.elementwise(operands, out, [&](const Scalars &s, ValueRange v) {
    auto cast = [&](Tensor from, Value value) { return Scalars{s.b, s.loc, from.element}.castTo(y.element, value); };
    Value scaled = s.mul(v[0], cast(scale, v[1]));
    return s.castTo(out, bias ? s.add(scaled, cast(bias, v[2])) : scaled);
  });
}

Tensor alongChannels(Op &op, Tensor vector, int64_t rank) {
  if (vector.rank() != 1 || rank < 3)
    return vector;
  return op.unsqueeze(vector, llvm::to_vector(llvm::seq<int64_t>(1, rank - 1)));
}

} // namespace sinter
