// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NonMaxSuppression: a kernel; its capacity follows from the most boxes per class where that is known, else from
// --bound or all boxes.
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

/// Operand i as rank 0; `fallback` where it is absent.
Tensor numberInput(const Op &op, unsigned i, ElementType element, double fallback) {
  return op.has(i) ? op.reshape(op.input(i), {}) : op.scalar(element, fallback);
}

LogicalResult lowerNonMaxSuppression(Op &op) {
  Tensor boxes = op.input(0), scores = op.input(1);
  if (boxes.rank() != 3 || scores.rank() != 3 || constantOf(op.size(boxes, 2)).value_or(4) != 4)
    return op.fail(Code::ShapeMismatch, "boxes must be [batch, n, 4], scores [batch, classes, n]");
  Size n = op.size(boxes, 1), classes = mul(op.b, op.loc, op.size(scores, 0), op.size(scores, 1)), perClass = n;
  std::optional<SmallVector<int64_t>> most = op.has(2) ? op.constantIntegers(2) : SmallVector<int64_t>{0};
  if (most && most->size() == 1)
    perClass = minimum(op.b, op.loc, n, sizeOf(op.b, std::max<int64_t>(most->front(), 0)));
  Size capacity = mul(op.b, op.loc, classes, perClass);
  if (std::optional<int64_t> stated = statedBound(op, 0))
    capacity = minimum(op.b, op.loc, capacity, sizeOf(op.b, *stated));
  Size scratch = mul(op.b, op.loc, n, sizeOf(op.b, 4));
  SmallVector<Tensor> made = op.kernel(
      "non_max_suppression",
      {boxes, scores, numberInput(op, 2, ElementType::Int64, 0), numberInput(op, 3, ElementType::Float, 0),
       numberInput(op, 4, ElementType::Float, 0)},
      {{{capacity, sizeOf(op.b, 3)}, ElementType::Int64}, {{}, ElementType::Int64}, {{scratch}, ElementType::Int64}},
      {op.param("center_point_box", op.integer("center_point_box", 0) != 0),
       op.param("has_score_threshold", op.has(4))});
  return op.result(takeCount(op, made[0], made[1], 0));
}
} // namespace

void register_non_max_suppression(Registry &registry) {
  registry.onOp("NonMaxSuppression", {10, 11},
                "boxes[N,B,4] scores[N,C,B] max_output_boxes_per_class[]|[1] iou_threshold[]|[1] score_threshold[]|[1] "
                "center_point_box=0|1",
                lowerNonMaxSuppression);
}

} // namespace sinter
