// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of pixels in halves, bytes and floats on the matrix unit: templates/cuda/tile_conv.h.
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

std::vector<TileWay> allWaysOfTileConv(ConvOp op, const Target &target, bool maySlice) {
  return waysOf(gpuProductOf(op),
                matrixTiles(getElementTypeOrSelf(op.getInput().getType()), op.isInputUnsigned(), isFast(op)), target,
                maySlice);
}
std::vector<TileWay> waysOfTileConv(ConvOp op, const Target &target) {
  return allWaysOfTileConv(op, target, isSliced(op.getKernelAttr()));
}

KernelAttr settleTileConv(ConvOp op, const Target &target, StringRef &whyNot) {
  KernelAttr kernel = asPixelConv(op, "tile_conv", whyNot);
  if (!kernel)
    return {};
  if (!hasMatrixUnit(target, getElementTypeOrSelf(op.getInput().getType())))
    whyNot = "a GPU of the target has no matrix unit for them";
  else if (!hasAlignedPairs(op.getInits()[0]))
    whyNot = "pixels of the output that begin at odd places";
  else
    return withTile(kernel, waysOfTileConv(op, target));
  return {};
}

ContractionCall callOfTileConv(ConvOp op, const Target &target) {
  constexpr int64_t chunk = 16;
  auto input = cast<MemRefType>(op.getInput().getType());
  int64_t channels = cast<MemRefType>(op.getFilter().getType()).getShape().back(); // of a group
  bool isAligned =
      !hasPlanes(op) && channels * input.getElementTypeBitWidth() / 8 % chunk == 0 && hasAlignedRows(op.getInput());
  TileWay way = wayIn(op.getKernelAttr(), waysOfTileConv(op, target));
  ContractionCall call;
  setTile(call, *way.tile);
  call.templateArguments.push_back(named(isAligned ? "true" : "false"));
  call.kind = "conv";
  call.why = onMatrixUnit(*way.tile, input.getElementType(), isAligned, "tileConv");
  call.headers = {"templates/cuda/tile_conv.h", "templates/panels/tile.h"};
  call.function = "cuda::tileConv";
  call.arguments = {Arg::Input,    Arg::Weights,    Arg::FilterRow, Arg::Output,
                    Arg::PixelRow, Arg::PixelShape, Arg::Filters,   Arg::Epilogue};
  if (way.slices > 1)
    slice(call, way.slices, "cuda::splitTileConv");
  return call;
}

std::optional<GpuWork> workOfTileConv(ConvOp op, const Target &target) {
  return gpuProductOf(op) ? std::optional(wayIn(op.getKernelAttr(), waysOfTileConv(op, target)).work) : std::nullopt;
}

} // namespace

Kernel tile_conv_kernel() {
  ConvKernel kernel{settleTileConv, callOfTileConv};
  kernel.tileWays = allWaysOfTileConv;
  return gpuKernel("tile_conv", 4, kernel, workOfTileConv);
}

} // namespace sinter
