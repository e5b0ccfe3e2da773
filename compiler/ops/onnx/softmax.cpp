// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and LogSoftmax, shifted by the maximum. Before version 13 all dims from `axis` on are one.
#include "ops/flattened_axis.h"
#include "ops/math.h"

using namespace mlir;

namespace sinter {

namespace {
template <bool logarithm>
LogicalResult lower(Op &op) {
  FailureOr<FlattenedAxis> view = flattenedAxis(op);
  if (failed(view))
    return failure();
  ElementType type = op.input(0).element;
  ElementType wide = isNarrowFloat(type) ? ElementType::Float : type;
  Tensor x = op.cast(view->x, wide);
  Tensor greatest = op.reduce(
      x, view->axis, true, wide, [](const Scalars &s) { return s.lowest(); },
      [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
  Tensor powers =
      op.elementwise({x, greatest}, wide, [](const Scalars &s, ValueRange v) { return exp(s, s.sub(v[0], v[1])); });
  Tensor sum = op.reduce(
      powers, view->axis, true, wide, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  Tensor y = logarithm ? op.elementwise({x, greatest, sum}, type,
                                        [&](const Scalars &s, ValueRange v) {
                                          return s.castTo(type, s.sub(s.sub(v[0], v[1]), log(s, v[2])));
                                        })
                       : op.elementwise({powers, sum}, type, [&](const Scalars &s, ValueRange v) {
                           return s.castTo(type, s.div(v[0], v[1]));
                         });
  return op.result(op.reshape(y, op.sizes(op.input(0))));
}
} // namespace

void register_softmax(Registry &registry) {
  registry.onOp("Softmax", {1, 11, 13}, lower<false>);
  registry.onOp("LogSoftmax", {1, 11, 13}, lower<true>);
}

} // namespace sinter
