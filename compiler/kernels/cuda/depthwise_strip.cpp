// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depthwise convolutions of pixels on a GPU, in float, halves and bytes: templates/cuda/depthwise_strip.h.
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/product_work.h"
#include "kernels/kernel.h"

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

ContractionCall callOfDepthwiseStrip(ConvOp op, const Target &) {
  constexpr int64_t threads = 128;
  auto input = cast<MemRefType>(op.getInput().getType());
  auto output = cast<MemRefType>(op.getInits()[0].getType());
  Type element = input.getElementType();
  int64_t perChunk = element.isF32() ? 4 : 8, width = output.getShape().rbegin()[1];
  bool isAligned = input.getShape().back() % perChunk == 0 && hasPacks(op.getInput(), perChunk) &&
                   hasPacks(op.getInits()[0], perChunk);
  int64_t pack = isAligned ? perChunk : 1;
  // Of wide filters two lines are held in registers with strips of two only.
  constexpr int64_t wide = 6;
  bool isFlat = op.getStrides().size() == 1;
  int64_t strip = ShapedType::isDynamic(width)                       ? 1
                  : width % 4 == 0 && op.taps(isFlat ? 0 : 1) < wide ? 4
                  : width % 2 == 0                                   ? 2
                                                                     : 1; // whole rows of strips
  ContractionCall call;
  call.kind = "depthwise";
  call.why = pack == 1 ? "a channel and a strip of a row a thread: depthwiseStrip"
                       : "a pack of channels and a strip of a row a thread: depthwiseStrip";
  call.headers = {"templates/cuda/depthwise_strip.h", "templates/panels/tile.h"};
  call.function = "cuda::depthwiseStrip";
  call.templateArguments = {named(elementName(element, op.isInputUnsigned())), numbered(pack), numbered(strip),
                            numbered(isFlat ? 1 : op.taps(0)), numbered(op.taps(isFlat ? 0 : 1))};
  call.arguments = {Arg::Input, Arg::Weights, Arg::Output, Arg::PixelRow, Arg::PixelShape, Arg::Epilogue};
  call.rows = threads * pack * strip;
  call.grid = GridOfTiles{threads, 0, /*slices=*/1, /*isByElements=*/true};
  return call;
}

std::optional<GpuWork> workOfDepthwiseStrip(ConvOp op, const Target &target) {
  std::optional<GpuProduct> product = gpuProductOf(op);
  if (!product)
    return std::nullopt;
  ContractionCall of = callOfDepthwiseStrip(op, target);
  return stripWork(*product, of.templateArguments[1].number, of.templateArguments[2].number);
}

} // namespace

Kernel depthwise_strip_kernel() {
  return gpuKernel("depthwise_strip", 5, ConvKernel{settleDepthwiseStrip, callOfDepthwiseStrip}, workOfDepthwiseStrip);
}

} // namespace sinter
