// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of pixels in float on a GPU, without the matrix unit: templates/cuda/simt_conv.h.
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

std::vector<TileWay> ways(ConvOp op, const Target &target) { return waysOf(gpuProductOf(op), simtTiles(), target); }

KernelAttr settle(ConvOp op, const Target &target, StringRef &whyNot) {
  return isPixelConv(op, "simt_conv", whyNot) ? withTile(op.getKernelAttr(), ways(op, target)) : KernelAttr();
}

ContractionCall call(ConvOp op, const Target &target) {
  ContractionCall call;
  setTile(call, *wayIn(op.getKernelAttr(), ways(op, target)).tile);
  call.kind = "conv";
  call.why = "float, to the bit of fused multiply-adds: simtConv";
  call.headers = {"templates/cuda/simt_conv.h", "templates/panels/tile.h"};
  call.function = "cuda::simtConv";
  call.arguments = {Arg::Input,    Arg::Weights,    Arg::FilterRow, Arg::Output,
                    Arg::PixelRow, Arg::PixelShape, Arg::Filters,   Arg::Epilogue};
  return call;
}

std::optional<GpuWork> work(ConvOp op, const Target &target) {
  return gpuProductOf(op) ? std::optional(wayIn(op.getKernelAttr(), ways(op, target)).work) : std::nullopt;
}

} // namespace

Kernel simt_conv_kernel() { return gpuKernel("simt_conv", 5, ConvKernel{settle, call}, work); }

} // namespace sinter
