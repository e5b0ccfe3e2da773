// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of pixels in halves and bytes on the matrix unit: templates/cuda/tile_conv.h.
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

std::vector<TileWay> allWays(ConvOp op, const Target &target, bool maySlice) {
  return waysOf(gpuProductOf(op), matrixTiles(getElementTypeOrSelf(op.getInput().getType()), op.isInputUnsigned()),
                target, maySlice);
}
std::vector<TileWay> ways(ConvOp op, const Target &target) { return allWays(op, target, isSliced(op.getKernelAttr())); }

KernelAttr settle(ConvOp op, const Target &target, StringRef &whyNot) {
  if (!isPixelConv(op, "tile_conv", whyNot))
    return {};
  if (hasAlignedPairs(op.getInits()[0]))
    return withTile(op.getKernelAttr(), ways(op, target));
  whyNot = "pixels of the output that begin at odd places";
  return {};
}

ContractionCall call(ConvOp op, const Target &target) {
  constexpr int64_t chunk = 16;
  auto input = cast<MemRefType>(op.getInput().getType());
  int64_t channels = cast<MemRefType>(op.getFilter().getType()).getShape().back(); // of a group
  bool isAligned =
      !hasPlanes(op) && channels * input.getElementTypeBitWidth() / 8 % chunk == 0 && hasAlignedRows(op.getInput());
  TileWay way = wayIn(op.getKernelAttr(), ways(op, target));
  ContractionCall call;
  setTile(call, *way.tile);
  call.templateArguments.push_back(named(isAligned ? "true" : "false"));
  call.kind = "conv";
  call.why = isAligned ? "on the matrix unit, by chunks of 16 bytes: tileConv"
                       : "on the matrix unit, elements one by one: tileConv";
  call.headers = {"templates/cuda/tile_conv.h", "templates/panels/tile.h"};
  call.function = "cuda::tileConv";
  call.arguments = {Arg::Input,    Arg::Weights,    Arg::FilterRow, Arg::Output,
                    Arg::PixelRow, Arg::PixelShape, Arg::Filters,   Arg::Epilogue};
  if (way.slices > 1)
    slice(call, way.slices, "cuda::splitTileConv");
  return call;
}

std::optional<GpuWork> work(ConvOp op, const Target &target) {
  return gpuProductOf(op) ? std::optional(wayIn(op.getKernelAttr(), ways(op, target)).work) : std::nullopt;
}

} // namespace

Kernel tile_conv_kernel() {
  ConvKernel kernel{settle, call};
  kernel.tileWays = allWays;
  return gpuKernel("tile_conv", 4, kernel, work);
}

} // namespace sinter
