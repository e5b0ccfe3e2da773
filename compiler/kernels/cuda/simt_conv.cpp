// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of pixels in float on a GPU, without the matrix unit: templates/cuda/simt_conv.h.
#include "kernels/cuda/support/gpu_tile.h"
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settle(ConvOp op, const Target &, StringRef &whyNot) {
  return isPixelConv(op, "simt_conv", whyNot) ? op.getKernelAttr() : KernelAttr();
}

ContractionCall call(ConvOp op, const Target &) {
  ContractionCall call;
  setTile(call, simtTile(pixelsOf(op), filtersOf(op)));
  call.kind = "conv";
  call.why = "float, to the bit of fused multiply-adds: simtConv";
  call.headers = {"templates/cuda/simt_conv.h", "templates/panels/tile.h"};
  call.function = "cuda::simtConv";
  call.arguments = {Arg::Input,    Arg::Weights,    Arg::FilterRow, Arg::Output,
                    Arg::PixelRow, Arg::PixelShape, Arg::Filters,   Arg::Epilogue};
  return call;
}

} // namespace

Kernel simt_conv_kernel() { return Kernel("simt_conv", 5, ConvKernel{settle, call}).forGpu(); }

} // namespace sinter
