// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and LogSoftmax: the kernel "softmax" along the middle of [outer, n, inner]. Before version 13 all dims from
// `axis` on are one.
#include "ops/flattened_axis.h"

using namespace mlir;

namespace sinter {

namespace {
template <bool logarithm>
LogicalResult lowerSoftmax(Op &op) {
  FailureOr<FlattenedAxis> view = flattenedAxis(op);
  if (failed(view))
    return failure();
  Tensor x = view->x;
  Sizes sizes = op.sizes(x);
  ArrayRef<Size> all(sizes);
  Sizes folded{product(op.b, op.loc, all.take_front(view->axis)), sizes[view->axis],
               product(op.b, op.loc, all.drop_front(view->axis + 1))};
  Tensor y = op.kernel("softmax", op.reshape(x, folded), {{folded, x.element}}, op.param("logarithm", logarithm))[0];
  return op.result(op.reshape(y, op.sizes(op.input(0))));
}
} // namespace

void register_softmax(Registry &registry) {
  registry.onOp("Softmax", {1, 11, 13}, "input[_*] axis@input", lowerSoftmax<false>);
  registry.onOp("LogSoftmax", {1, 11, 13}, "input[_*] axis@input", lowerSoftmax<true>);
}

} // namespace sinter
