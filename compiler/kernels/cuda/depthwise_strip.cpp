// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions of pixels on a GPU, in float, halves and bytes: templates/cuda/depthwise_strip.h.
#include "kernels/cuda/support/gpu_time.h"
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/product_work.h"
#include "kernels/kernel.h"

#include <limits>

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

/// Whether so many channels lie aligned, of maps whose channels are a multiple.
bool hasPacks(Value map, int64_t channels) {
  auto type = cast<MemRefType>(map.getType());
  return type.getLayout().isIdentity() || areMultiples(map, channels * type.getElementTypeBitWidth() / 8);
}

KernelAttr settleDepthwiseStrip(ConvOp op, const Target &, StringRef &whyNot) {
  return asPixelConv(op, "depthwise_strip", whyNot);
}

/// Whole packs of up to 16 bytes, and strips that rows consist of. Few threads of long packs wait for their own
/// instructions, many of single channels fetch everything several times: what is done first.
DepthwiseStrip fastestStrip(ConvOp op, const Target &target) {
  auto input = cast<MemRefType>(op.getInput().getType());
  int64_t width = cast<MemRefType>(op.getInits()[0].getType()).getShape().rbegin()[1];
  int64_t last = op.getStrides().size() - 1, taps = op.taps(last), extent = (taps - 1) * op.getDilations()[last] + 1;
  // Of wide filters two lines are held in registers with strips of two only.
  constexpr int64_t wide = 6;
  int64_t longest = taps < wide ? 4 : 2, widest = input.getElementType().isF32() ? 4 : 8;
  std::optional<GpuProduct> product = gpuProductOf(op);
  DepthwiseStrip fastest;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t pack = widest; pack >= 1; pack /= 2) {
    bool isAligned =
        input.getShape().back() % pack == 0 && hasPacks(op.getInput(), pack) && hasPacks(op.getInits()[0], pack);
    if (pack > 1 && !isAligned)
      continue;
    for (int64_t outputs = longest; outputs >= 1; outputs /= 2) {
      if (outputs > 1 && (ShapedType::isDynamic(width) || width % outputs != 0))
        continue;
      DepthwiseStrip strip{pack, outputs, (outputs - 1) * op.getStrides()[last] + extent, taps};
      double time = product ? timeOf(target.gpu, stripWork(*product, strip)).microseconds : 0;
      if (time < least) {
        fastest = strip;
        least = time;
      }
    }
  }
  return fastest;
}

ContractionCall callOfDepthwiseStrip(ConvOp op, const Target &target) {
  constexpr int64_t threads = 128;
  auto input = cast<MemRefType>(op.getInput().getType());
  Type element = input.getElementType();
  bool isFlat = op.getStrides().size() == 1;
  DepthwiseStrip strip = fastestStrip(op, target);
  ContractionCall call;
  call.kind = "depthwise";
  call.why = strip.pack == 1 ? "a channel and a strip of a row a thread: depthwiseStrip"
                             : "a pack of channels and a strip of a row a thread: depthwiseStrip";
  call.headers = {"templates/cuda/depthwise_strip.h", "templates/panels/tile.h"};
  call.function = "cuda::depthwiseStrip";
  call.templateArguments = {named(elementName(element, op.isInputUnsigned())), numbered(strip.pack),
                            numbered(strip.outputs), numbered(isFlat ? 1 : op.taps(0)),
                            numbered(op.taps(isFlat ? 0 : 1))};
  call.arguments = {Arg::Input, Arg::Weights, Arg::Output, Arg::PixelRow, Arg::PixelShape, Arg::Epilogue};
  call.rows = threads * strip.pack * strip.outputs;
  call.grid = GridOfTiles{threads, 0, /*slices=*/1, /*isByElements=*/true};
  return call;
}

std::optional<GpuWork> workOfDepthwiseStrip(ConvOp op, const Target &target) {
  std::optional<GpuProduct> product = gpuProductOf(op);
  if (!product)
    return std::nullopt;
  return stripWork(*product, fastestStrip(op, target));
}

} // namespace

Kernel depthwise_strip_kernel() {
  return gpuKernel("depthwise_strip", 5, ConvKernel{settleDepthwiseStrip, callOfDepthwiseStrip}, workOfDepthwiseStrip);
}

} // namespace sinter
