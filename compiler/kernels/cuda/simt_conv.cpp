// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of pixels in float on a GPU, without the matrix unit: templates/cuda/simt_conv.h.
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

std::vector<TileWay> waysOfSimtConv(ConvOp op, const Target &target) {
  return waysOf(gpuProductOf(op), simtTiles(), target);
}

KernelAttr settleSimtConv(ConvOp op, const Target &target, StringRef &whyNot) {
  KernelAttr kernel = asPixelConv(op, "simt_conv", whyNot);
  if (kernel && getElementTypeOrSelf(op.getInput().getType()).isF32())
    return withTile(kernel, waysOfSimtConv(op, target));
  if (kernel)
    whyNot = "operands that are not float";
  return {};
}

ContractionCall callOfSimtConv(ConvOp op, const Target &target) {
  ContractionCall call;
  setTile(call, *wayIn(op.getKernelAttr(), waysOfSimtConv(op, target)).tile);
  call.kind = "conv";
  call.why = "float, to the bit of fused multiply-adds: simtConv";
  call.headers = {"templates/cuda/simt_conv.h", "templates/panels/tile.h"};
  call.function = "cuda::simtConv";
  call.arguments = {Arg::Input,    Arg::Weights,    Arg::FilterRow, Arg::Output,
                    Arg::PixelRow, Arg::PixelShape, Arg::Filters,   Arg::Epilogue};
  return call;
}

std::optional<GpuWork> workOfSimtConv(ConvOp op, const Target &target) {
  return gpuProductOf(op) ? std::optional(wayIn(op.getKernelAttr(), waysOfSimtConv(op, target)).work) : std::nullopt;
}

} // namespace

Kernel simt_conv_kernel() {
  return gpuKernel("simt_conv", 5, ConvKernel{settleSimtConv, callOfSimtConv}, workOfSimtConv);
}

} // namespace sinter
