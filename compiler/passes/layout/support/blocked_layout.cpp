// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blocked_layout.h"

#include "builders/sizes.h"
#include "ir/spreads.h"
#include "ir/value_names.h"
#include "kernels/direct/support/points.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

namespace sinter {

int64_t channelBlock(const Target &target, int64_t channels) {
  if (target.isGpu()) // NHWC
    return channels;
  int64_t width = target.lanes();
  return channels % width == 0 ? width : channels;
}

bool hasFilterPerChannel(ConvOp conv) {
  auto input = cast<RankedTensorType>(conv.getInput().getType()),
       output = cast<RankedTensorType>(conv.getInits()[0].getType());
  int64_t group = conv.getGroup();
  return group == input.getDimSize(1) && group == output.getDimSize(1);
}

/// Of a convolution of floats on vectors in several groups: channels and filters of each, by the filter as it is.
static std::optional<std::pair<int64_t, int64_t>> sizesOfGroups(ConvOp conv, const Target &target) {
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  auto groups = static_cast<int64_t>(conv.getGroup());
  if (groups <= 1 || target.isGpu() || target.vectorRegisters == 0 || !isa<FloatType>(filter.getElementType()) ||
      filter.isDynamicDim(0) || filter.isDynamicDim(1))
    return std::nullopt;
  return std::pair(filter.getDimSize(1), filter.getDimSize(0) / groups);
}

constexpr int64_t mostPerChannel = 8; // whose sums are woven in registers

bool isInSmallGroups(ConvOp conv, const Target &target) {
  auto sizes = sizesOfGroups(conv, target);
  if (!sizes || sizes->first >= target.lanes() || target.lanes() % sizes->first != 0 ||
      sizes->second % sizes->first != 0)
    return false;
  int64_t perChannel = sizes->second / sizes->first, channels = sizes->first * static_cast<int64_t>(conv.getGroup());
  return perChannel == 1 || (perChannel <= mostPerChannel && channels * 2 >= target.lanes());
}

bool isInLargeGroups(ConvOp conv, const Target &target) {
  auto sizes = sizesOfGroups(conv, target);
  return sizes && sizes->second * 3 >= target.lanes();
}

bool suitsRows(ConvOp conv, const Target &target) {
  auto input = cast<RankedTensorType>(conv.getInput().getType()),
       output = cast<RankedTensorType>(conv.getInits()[0].getType());
  constexpr int64_t few = 8; // fewer fill the vectors of most targets badly
  auto isFew = [](int64_t count) { return !ShapedType::isDynamic(count) && count < few; };
  int64_t width = output.getShape().back();
  return target.vectorRegisters > 0 && !target.isGpu() && isa<FloatType>(input.getElementType()) &&
         conv.getLayout() == "nchw" && conv.getGroup() == 1 && !spreadsOf(conv) && conv.getStrides().back() == 1 &&
         isFew(input.getDimSize(1)) && isFew(output.getDimSize(1)) &&
         (ShapedType::isDynamic(width) || width >= 2 * target.lanes());
}

bool comesPlain(Value map) {
  if (auto generic = map.getDefiningOp<linalg::GenericOp>())
    return generic.getNumDpsInputs() == 1 && generic.getNumDpsInits() == 1 && comesPlain(generic.getInputs()[0]);
  return isa<BlockArgument>(map) || map.getDefiningOp<bufferization::ToTensorOp>();
}

bool leavesVectorsEmpty(ConvOp conv, const Target &target) {
  auto filter = cast<ShapedType>(conv.getFilter().getType());
  if (filter.isDynamicDim(0))
    return false;
  int64_t filters = filter.getDimSize(0) / static_cast<int64_t>(conv.getGroup());
  return filters * 4 <= static_cast<int64_t>(llvm::alignTo(filters, target.lanes())) * 3;
}

bool suitsPoints(ConvOp conv, const Target &target) {
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  bool readsPlain = conv.getGroup() == 1 && !input.isDynamicDim(1) && input.getDimSize(1) < fewChannels;
  return target.vectorRegisters > 0 && !target.isGpu() && isa<FloatType>(input.getElementType()) && !readsPlain &&
         isOfPoints(conv) && leavesVectorsEmpty(conv, target) && comesPlain(conv.getInput());
}

std::optional<BlockedLayout> layoutOf(tensor::UnPackOp unpack) {
  ArrayRef<int64_t> axes = unpack.getInnerDimsPos(), tiles = unpack.getStaticInnerTiles();
  if (axes.size() != 1 || ShapedType::isDynamic(tiles[0]) || !unpack.getOuterDimsPerm().empty())
    return std::nullopt;
  return BlockedLayout{axes[0], tiles[0]};
}

std::optional<std::pair<Value, BlockedLayout>> packedSource(Value plain) {
  auto unpack = plain.getDefiningOp<tensor::UnPackOp>();
  std::optional<BlockedLayout> layout = unpack ? layoutOf(unpack) : std::nullopt;
  if (!layout)
    return std::nullopt;
  return std::make_pair(unpack.getSource(), *layout);
}

RankedTensorType packedType(RankedTensorType plain, BlockedLayout layout) {
  SmallVector<int64_t> shape(plain.getShape());
  shape[layout.axis] /= layout.block;
  shape.push_back(layout.block);
  return RankedTensorType::get(shape, plain.getElementType());
}

Value emptyPacked(OpBuilder &builder, Location loc, Value plain, BlockedLayout layout) {
  Sizes sizes = dimsOf(builder, loc, plain);
  sizes[layout.axis] = floorDiv(builder, loc, sizes[layout.axis], layout.block);
  sizes.push_back(sizeOf(builder, layout.block));
  return builder.create<tensor::EmptyOp>(loc, sizes, cast<RankedTensorType>(plain.getType()).getElementType());
}

Value packed(OpBuilder &builder, Location loc, Value plain, BlockedLayout layout) {
  if (auto source = packedSource(plain); source && source->second == layout)
    return source->first;
  Value init = emptyPacked(builder, loc, plain, layout);
  return builder.create<tensor::PackOp>(withoutValueNames(loc), plain, init, layout.axis,
                                        OpFoldResult(builder.getIndexAttr(layout.block)));
}

Value unpacked(OpBuilder &builder, Location loc, Value packedValue, Value plainInit, BlockedLayout layout) {
  noteBlocks(packedValue, static_cast<unsigned>(layout.axis), layout.block);
  return builder.create<tensor::UnPackOp>(loc, packedValue, plainInit, layout.axis,
                                          OpFoldResult(builder.getIndexAttr(layout.block)));
}

} // namespace sinter
