// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RoiAlign, MaxRoiPool: kernels.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerAlign(Op &op) {
  Tensor x = op.input(0), rois = op.input(1), batches = op.input(2);
  if (x.rank() != 4 || rois.rank() != 2 || batches.rank() != 1 || constantOf(op.size(rois, 1)).value_or(4) != 4)
    return op.fail(Code::ShapeMismatch, "RoiAlign takes X of rank 4, rois [n, 4] and batch_indices [n]");
  Sizes sizes{op.size(rois, 0), op.size(x, 1), sizeOf(op.b, op.integer("output_height", 1)),
              sizeOf(op.b, op.integer("output_width", 1))};
  bool halfPixel = op.since >= 16 && op.string("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  return op.results(
      op.kernel("roi_align", {x, rois, batches}, {{sizes, x.element}},
                {op.paramReal("spatial_scale", op.real("spatial_scale", 1)),
                 op.param("sampling_ratio", op.integer("sampling_ratio", 0)), op.param("half_pixel", halfPixel),
                 op.param("is_max", op.string("mode", "avg") == "max")}));
}

LogicalResult lowerMaxRoiPool(Op &op) {
  Tensor x = op.input(0), rois = op.input(1);
  SmallVector<int64_t> shape = op.integers("pooled_shape");
  if (x.rank() != 4 || rois.rank() != 2 || shape.size() != 2 || constantOf(op.size(rois, 1)).value_or(5) != 5)
    return op.fail(Code::ShapeMismatch, "MaxRoiPool takes X of rank 4, rois [n, 5] and two sizes in pooled_shape");
  Sizes sizes{op.size(rois, 0), op.size(x, 1), sizeOf(op.b, shape[0]), sizeOf(op.b, shape[1])};
  return op.results(op.kernel("max_roi_pool", {x, rois}, {{sizes, x.element}},
                              {op.paramReal("spatial_scale", op.real("spatial_scale", 1))}));
}
} // namespace

void register_roi(Registry &registry) {
  registry.onOp("RoiAlign", {10, 16, 22},
                "X[_,C,H,W] rois[R,4] batch_indices[R] output_height>=1 output_width>=1 sampling_ratio>=0 mode=avg|max "
                "coordinate_transformation_mode=half_pixel|output_half_pixel",
                lowerAlign);
  registry.onOp("MaxRoiPool", {1, 22}, "X[_,C,H,W] rois[R,5] pooled_shape[2] pooled_shape>=1", lowerMaxRoiPool);
}

} // namespace sinter
