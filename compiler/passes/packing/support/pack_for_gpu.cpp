// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pack_for_gpu.h"

#include "builders/tensors.h"
#include "kernels/cuda/support/gpu_tile.h"

using namespace mlir;

namespace sinter {

/// Of maps of pixels, [n, 1, spatial..., c]: a filter for each channel.
static bool hasFilterPerPixelChannel(ConvOp op) {
  int64_t group = op.getGroup();
  return group == cast<ShapedType>(op.getInput().getType()).getShape().back() &&
         group == cast<ShapedType>(op.getInits()[0].getType()).getShape().back();
}

static ElementType elementOf(Value value) { return elementTypeOf(cast<ShapedType>(value.getType()).getElementType()); }

/// Whether so few rows are multiplied that a kernel goes along the columns.
static bool hasFewRows(MatmulOp op) {
  auto type = cast<RankedTensorType>(op.getInits()[0].getType());
  return type.hasStaticShape() && type.getNumElements() <= mostFewRows * type.getShape().back();
}

void packForGpu(MatmulOp op, const Target &target) {
  Type element = cast<RankedTensorType>(op.getRhs().getType()).getElementType();
  bool isByRows = hasMatrixUnit(target, element) || (!element.isF64() && hasFewRows(op));
  if (op.getTransposeRhs() || !isByRows)
    return;
  OpBuilder b(op);
  Tensor rhs{op.getRhs(), elementOf(op.getRhs())};
  op.getRhsMutable().assign(Tensors{b, op.getLoc()}.transpose(rhs, {1, 0}).value);
  op.setTransposeRhs(true);
}

void packForGpu(ConvOp op, const Target &target) {
  packFilterForGpu(op, {op.getFilter(), elementOf(op.getFilter())}, target);
}

bool packFilterForGpu(ConvOp op, Tensor filter, const Target &target) {
  Type element = filter.type().getElementType();
  bool isPerChannel = hasFilterPerPixelChannel(op);
  constexpr int64_t fewFilters = 8; // of a group: a tile's columns would be empty
  bool hasGroups =
      op.getGroup() != 1 && !isPerChannel &&
      cast<ShapedType>(op.getInits()[0].getType()).getShape().back() >= fewFilters * int64_t(op.getGroup());
  bool isFromPlanes = op.getLayout() == "nchw->nchwc" && op.getGroup() == 1;
  if ((op.getLayout() != "nchwc" && !isFromPlanes) || (op.getGroup() != 1 && !isPerChannel && !hasGroups) ||
      (!element.isF32() && !hasMatrixUnit(target, element)))
    return false;
  OpBuilder b(op);
  Tensors tensors{b, op.getLoc()};
  SmallVector<int64_t> shape(filter.shape()), order;
  int64_t spatial = filter.rank() - 2;
  SmallVector<SmallVector<int64_t>> dims;
  bool isDepthwise = op.getGroup() != 1 && isPerChannel;
  if (isDepthwise) { // [k, taps] -> [taps, k]
    SmallVector<int64_t> split = {shape[0]};
    split.append(shape.begin() + 2, shape.end());
    filter = tensors.reshape(filter, sizesOf(b, split));
    for (int64_t d = 0; d < spatial; ++d)
      order.push_back(1 + d);
    order.push_back(0);
    dims = {{spatial}, {}};
  } else {
    order.push_back(0);
    for (int64_t d = 0; d < spatial; ++d)
      order.push_back(2 + d);
    order.push_back(1);
    dims = {{0}, {spatial + 1}};
  }
  for (int64_t d = 0; d < spatial; ++d)
    dims.push_back({d + (isDepthwise ? 0 : 1)});
  op.getFilterMutable().assign(tensors.transpose(filter, order).value);
  SmallVector<Attribute> each;
  for (ArrayRef<int64_t> some : dims)
    each.push_back(b.getDenseI64ArrayAttr(some));
  StringRef name = isDepthwise ? "depthwise_strip" : hasMatrixUnit(target, element) ? "tile_conv" : "simt_conv";
  op.setKernelAttr(
      KernelAttr::get(b.getContext(), name, b.getDictionaryAttr(b.getNamedAttr("dims", b.getArrayAttr(each)))));
  return true;
}

} // namespace sinter
