// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inverted_residual.h"

#include "gpu_tile.h"
#include "kernels/cuda/support/pixel_conv.h"
#include "residual_cost.h"

using namespace mlir;

namespace sinter {
namespace {

bool isKernel(ConvOp op, ArrayRef<StringRef> names) {
  return op.getKernelAttr() && llvm::is_contained(names, op.getKernelAttr().getName());
}

/// Of two dims, known ones but for the batch.
bool isPlainPart(ConvOp op) {
  auto isKnown = [](Value map) {
    auto type = cast<MemRefType>(map.getType());
    ArrayRef<int64_t> shape = type.getShape();
    return llvm::none_of(shape.drop_front(), ShapedType::isDynamic);
  };
  return op.getStrides().size() == 2 && !op.getRowPad() && op.getInits().size() >= 1 && isKnown(op.getInput()) &&
         isKnown(op.getInits()[0]);
}

int32_t narrow(int64_t number) { return static_cast<int32_t>(number); }

cuda::ResidualConv sizesOf(ConvOp op) {
  auto type = cast<MemRefType>(op.getInput().getType());
  ArrayRef<int64_t> shape = type.getShape();
  bool planes = hasPlanes(op);
  cuda::ResidualConv c{};
  c.height = narrow(shape[2]);
  c.width = narrow(shape[3]);
  c.channels = narrow(planes ? shape[1] : shape[4]);
  c.kernelHeight = narrow(op.taps(0));
  c.kernelWidth = narrow(op.taps(1));
  c.strideY = narrow(op.getStrides()[0]);
  c.strideX = narrow(op.getStrides()[1]);
  c.dilationY = narrow(op.getDilations()[0]);
  c.dilationX = narrow(op.getDilations()[1]);
  c.padTop = narrow(op.getPads()[0]);
  c.padLeft = narrow(op.getPads()[1]);
  c.pitch = planes ? c.channels : narrow(getStridesAndOffset(type).first[3]);
  c.hasPlanes = planes;
  return c;
}

/// Sizes without a tile.
std::optional<cuda::ResidualShape> residualShapeOf(ResidualParts parts, const Target &target, StringRef &whyNot) {
  ConvOp first = parts.expand ? parts.expand : parts.depthwise, project = parts.project;
  Type element = cast<MemRefType>(first.getInput().getType()).getElementType();
  for (ConvOp op : {first, parts.depthwise, project}) {
    auto elementOf = [](Value value) { return cast<ShapedType>(value.getType()).getElementType(); };
    if (!isPlainPart(op)) {
      whyNot = "sizes that only calls know, or other dims than height and width";
      return std::nullopt;
    }
    if (elementOf(op.getInput()) != element || elementOf(op.getFilter()) != element ||
        elementOf(op.getInits()[0]) != element) {
      whyNot = "elements of several types";
      return std::nullopt;
    }
  }
  if (!element.isF32() && !((element.isF16() || element.isBF16()) && hasMatrixUnit(target, element))) {
    whyNot = "elements that are neither floats nor halves of the matrix unit";
    return std::nullopt;
  }
  constexpr StringRef products[] = {"simt_conv", "tile_conv"};
  if (!isKernel(parts.depthwise, {"depthwise_strip"}) || !isKernel(project, products) || project.getGroup() != 1 ||
      (parts.expand && (!isKernel(parts.expand, products) || parts.expand.getGroup() != 1))) {
    whyNot = "kernels other than those of pixels";
    return std::nullopt;
  }
  cuda::ResidualShape shape{};
  shape.depthwise = sizesOf(parts.depthwise);
  if (parts.expand)
    shape.expand = sizesOf(parts.expand);
  cuda::ResidualConv last = sizesOf(project);
  if (last.depth() != last.channels || last.strideY != 1 || last.strideX != 1 || last.padTop != 0 ||
      last.padLeft != 0) {
    whyNot = "a projection that is no 1 x 1";
    return std::nullopt;
  }
  ArrayRef<int64_t> out = cast<MemRefType>(project.getInits()[0].getType()).getShape();
  shape.outHeight = narrow(out[2]);
  shape.outWidth = narrow(out[3]);
  shape.filters = narrow(out[4]);
  shape.elementBytes = element.isF32() ? 4 : 2;
  // What the template takes for aligned by sizes alone is aligned.
  auto isAsSizesSay = [&](Value map, int64_t channels, int64_t pitch, int64_t bytes) {
    int64_t atOnce = bytes / shape.elementBytes;
    return channels % atOnce != 0 || pitch % atOnce != 0 || cast<MemRefType>(map.getType()).getLayout().isIdentity() ||
           areMultiples(map, bytes);
  };
  constexpr int64_t chunk = 16;
  const cuda::ResidualConv &c = parts.expand ? shape.expand : shape.depthwise;
  int64_t outPitch = getStridesAndOffset(cast<MemRefType>(project.getInits()[0].getType())).first[3];
  if ((!c.hasPlanes && !isAsSizesSay(first.getInput(), c.channels, c.pitch, chunk)) ||
      !isAsSizesSay(project.getInits()[0], shape.filters, outPitch, element.isF32() ? chunk : 4)) {
    whyNot = "pixels that are not aligned";
    return std::nullopt;
  }
  return shape;
}

/// Registers of a thread for sums of the projection, so that nothing is spilled.
constexpr int64_t mostSums = 64;

} // namespace

std::optional<ResidualPlan> planResidual(ResidualParts parts, const Target &target, bool maySplit, StringRef &whyNot) {
  std::optional<cuda::ResidualShape> sizes = residualShapeOf(parts, target, whyNot);
  if (!sizes)
    return std::nullopt;
  int64_t shared = std::numeric_limits<int64_t>::max();
  for (int sm : target.sms)
    shared = std::min(shared, findGpuArch(sm)->sharedPerBlock);
  int64_t batch = cast<MemRefType>(parts.project.getInits()[0].getType()).getShape()[0];
  bool isBatchKnown = !ShapedType::isDynamic(batch);
  maySplit = maySplit && isBatchKnown;
  ResidualCost cost{*findGpuArch(target.sms.front()), isBatchKnown ? batch : 1};
  constexpr std::pair<int, int> tiles[] = {{1, 4}, {2, 2}, {2, 4}, {3, 4}, {4, 4}, {2, 7},
                                           {4, 7}, {7, 7}, {4, 8}, {8, 8}, {8, 16}};
  constexpr int allSplits[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16};
  std::optional<ResidualPlan> best;
  cuda::ResidualShape s = *sizes;
  for (auto [y, x] : tiles)
    for (int chunk : {16, 32, 48, 64, 96, 128})
      for (int splits : allSplits)
        for (int threads : {128, 256})
          for (int expandRows : {2, 4})
            for (int projectRows : {2, 4}) {
              s.tile = {y, x, chunk, splits, threads, expandRows, projectRows};
              bool isTooWide = chunk >= s.depthwise.channels + 16 ||
                               (splits > 1 && (!maySplit || (s.chunks() - 1) / s.chunksOfSplit() + 1 != splits));
              bool isAlike = s.isOnMatrixUnit() && (expandRows != 2 || projectRows != 2);
              if (isTooWide || isAlike || s.ownUnits() * s.sumsOfUnit() > mostSums || s.sharedBytes() > shared)
                continue;
              double microseconds = cost.ofBlock(s);
              if (!best || microseconds < best->microseconds)
                best = ResidualPlan{s, microseconds, cost.ofConvolutions(s)};
            }
  if (!best)
    whyNot = "no tile fits into shared memory";
  return best;
}

std::string describeTile(const cuda::ResidualTile &tile) {
  std::string text = "tiles of " + std::to_string(tile.tileY) + " x " + std::to_string(tile.tileX) + " pixels, " +
                     std::to_string(tile.chunk) + " channels at a time";
  if (tile.splits > 1)
    text += ", split among " + std::to_string(tile.splits) + " blocks";
  return text;
}

} // namespace sinter
