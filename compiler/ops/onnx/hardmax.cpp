// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hardmax: 1 at the first maximum along the axis, 0 elsewhere.
#include "ops/arg_max.h"
#include "ops/flattened_axis.h"

using namespace mlir;

namespace sinter {

void register_hardmax(Registry &registry) {
  registry.onOp("Hardmax", {1, 11, 13}, "input[_*] axis@input", [](Op &op) {
    FailureOr<FlattenedAxis> view = flattenedAxis(op);
    if (failed(view))
      return failure();
    Tensor index = op.unsqueeze(placeOfBest(op, view->x, view->axis, Compare::Greater), view->axis);
    Tensor y = op.elementwise({view->x, index}, view->x.element, [&](const Scalars &s, ValueRange v) {
      Value here =
          s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), s.b.create<linalg::IndexOp>(s.loc, view->axis));
      return s.select(Scalars{s.b, s.loc, ElementType::Int64}.compare(Compare::Equal, here, v[1]), s.constant(1),
                      s.constant(0));
    });
    return op.result(op.reshape(y, op.sizes(op.input(0))));
  });
}

} // namespace sinter
