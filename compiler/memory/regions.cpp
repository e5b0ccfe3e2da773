// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of constant subviews.
#include "regions.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

std::optional<BufferRegion> regionOf(Value buffer) {
  SmallVector<Operation *> views;
  for (Value value = buffer; auto view = value.getDefiningOp<ViewLikeOpInterface>(); value = view.getViewSource())
    views.push_back(view);

  // From the root on: each constant subview narrows the box, until one that changes coordinates. What follows is
  // somewhere in it.
  std::optional<BufferRegion> box;
  for (Operation *op : llvm::reverse(views)) {
    auto view = dyn_cast<memref::SubViewOp>(op);
    if (!view || ShapedType::isDynamicShape(view.getStaticOffsets()) ||
        ShapedType::isDynamicShape(view.getStaticSizes()) ||
        llvm::any_of(view.getStaticStrides(), [](int64_t stride) { return stride != 1; }))
      break;
    BufferRegion inner;
    for (auto [dim, offset, size] : llvm::enumerate(view.getStaticOffsets(), view.getStaticSizes())) {
      int64_t low = offset + (box ? box->low[dim] : 0);
      inner.low.push_back(low);
      inner.high.push_back(low + size);
    }
    box = std::move(inner);
    if (view.getType().getRank() != view.getSourceType().getRank())
      break;
  }
  return box;
}

bool areDisjoint(const std::optional<BufferRegion> &a, const std::optional<BufferRegion> &b) {
  if (!a || !b || a->low.size() != b->low.size())
    return false;
  for (size_t dim = 0; dim < a->low.size(); ++dim)
    if (a->high[dim] <= b->low[dim] || b->high[dim] <= a->low[dim])
      return true;
  return false;
}

} // namespace sinter
