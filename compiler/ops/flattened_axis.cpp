// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flattened_axis.h"

using namespace mlir;

namespace sinter {

FailureOr<FlattenedAxis> flattenedAxis(Op &op) {
  Tensor x = op.input(0);
  int64_t given = op.integer("axis", op.since < 13 ? 1 : -1);
  if (op.since >= 13 && x.rank()) {
    FailureOr<int64_t> axis = op.axis(given, x.rank());
    return failed(axis) ? FailureOr<FlattenedAxis>(failure()) : FlattenedAxis{x, *axis};
  }
  int64_t axis = given < 0 ? given + x.rank() : given;
  if (axis < 0 || axis > x.rank())
    return op.fail(Code::ShapeMismatch, "axis " + Twine(given) + " is outside a tensor of rank " + Twine(x.rank()));
  Sizes sizes = op.sizes(x);
  ArrayRef<Size> all(sizes);
  return FlattenedAxis{
      op.reshape(x, {product(op.b, op.loc, all.take_front(axis)), product(op.b, op.loc, all.drop_front(axis))}), 1};
}

} // namespace sinter
