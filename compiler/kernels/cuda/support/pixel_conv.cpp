// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pixel_conv.h"

#include "gpu_tile.h"

using namespace mlir;

namespace sinter {

KernelAttr asPixelConv(ConvOp op, StringRef kernel, StringRef &whyNot) {
  KernelAttr packed = op.getKernelAttr();
  auto isByTiles = [](StringRef name) { // packed for all alike
    return name == "simt_conv" || name == "tile_conv" || name == "row_conv";
  };
  if (!packed || (packed.getName() != kernel && !(isByTiles(packed.getName()) && isByTiles(kernel))))
    whyNot = "its filter is not packed for it";
  else if (!(hasPlanes(op) ? cast<MemRefType>(op.getInput().getType()).getLayout().isIdentity()
                           : isOfPixels(op.getInput())) ||
           !isOfPixels(op.getInits()[0]))
    whyNot = "pixels that are not one distance apart";
  else if (!isSmall(op.getInput()) || !isSmall(op.getInits()[0]))
    whyNot = "operands of 2^31 elements and more";
  else if (op.getRowPad())
    whyNot = "padding that a call computes";
  else
    return KernelAttr::get(op.getContext(), kernel, packed.getParams());
  return {};
}

bool hasPlanes(ConvOp op) { return op.inputLayout() == "nchw"; }

std::optional<int64_t> pixelsOf(ConvOp op) {
  auto type = cast<MemRefType>(op.getInits()[0].getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements() / std::max<int64_t>(type.getShape().back(), 1);
}
std::optional<int64_t> filtersOf(ConvOp op) {
  return cast<MemRefType>(op.getInits()[0].getType()).getShape().back() / static_cast<int64_t>(op.getGroup());
}

} // namespace sinter
