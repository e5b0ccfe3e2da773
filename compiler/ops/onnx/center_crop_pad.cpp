// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CenterCropPad: each axis cropped or padded with zeros around its middle to the size asked for; an odd crop loses more
// behind, an odd pad gains more behind.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerCenterCropPad(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Sizes> shape = op.elements(1, "shape");
  FailureOr<SmallVector<int64_t>> axes =
      op.axes(op.integers("axes", llvm::to_vector(llvm::seq<int64_t>(0, x.rank()))), x.rank());
  if (failed(shape) || failed(axes))
    return failure();
  if (shape->size() != axes->size())
    return op.fail(Code::ShapeMismatch, "'shape' does not have one size per axis");
  Sizes target = op.sizes(x), own = target;
  for (auto [axis, size] : llvm::zip(*axes, *shape))
    target[axis] = size;
  FailureOr<Sizes> bounded = boundedSizes(op, target);
  if (failed(bounded))
    return failure();
  Sizes offsets(x.rank(), sizeOf(op.b, 0)), ones(x.rank(), sizeOf(op.b, 1)), kept = own, low = offsets, high = offsets;
  for (int64_t axis : *axes) {
    Size want = (*bounded)[axis], have = own[axis];
    kept[axis] = minimum(op.b, op.loc, want, have);
    offsets[axis] = floorDiv(op.b, op.loc, sub(op.b, op.loc, have, kept[axis]), 2);
    Size missing = sub(op.b, op.loc, want, kept[axis]);
    low[axis] = floorDiv(op.b, op.loc, missing, 2);
    high[axis] = sub(op.b, op.loc, missing, low[axis]);
  }
  Value zero = narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.constant(0));
  Tensor y = op.pad(op.slice(x, offsets, kept, ones), low, high, zero);
  return op.result(y);
}
} // namespace

void register_center_crop_pad(Registry &registry) {
  registry.onOp("CenterCropPad", {18}, "input_data[_*] shape[_] axes@input_data", lowerCenterCropPad);
}

} // namespace sinter
