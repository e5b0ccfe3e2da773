// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions in tile registers, by terms of bf16: templates/terms/term_conv.h. Filters are packed as
// for conv; pack-weights says whose terms pay.
#include "ir/dim_bounds.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/panel_count.h"
#include "kernels/terms/support/term_cost.h"
#include "templates/terms/term_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleTermConv(ConvOp op, const Target &, StringRef &whyNot) { return asPacked(op, "term_conv", whyNot); }

/// The outputs of a channel that a call makes at most, of all images; negative where that is not known.
int64_t mostPixels(ConvOp op) {
  Value out = op.getInits()[0];
  DimBounds bounds;
  int64_t pixels = bounds.ofDim(out, 0).high;
  for (int64_t d = 0; d < static_cast<int64_t>(op.getStrides().size()); ++d) {
    int64_t size = bounds.ofDim(out, op.firstSpatialOut() + d).high;
    if (d == 0 && op.getMostRows())
      size = std::min(size, static_cast<int64_t>(*op.getMostRows()));
    if (pixels == INT64_MAX || size == INT64_MAX || llvm::MulOverflow(pixels, size, pixels))
      return -1;
  }
  return pixels;
}

int64_t bytesOfTermConv(ConvOp op) {
  ArrayRef<int64_t> filter = cast<ShapedType>(op.getFilter().getType()).getShape();
  int64_t panels = panelsOf(op), k = filter[op.getKernelAttr().dimsOf(1)->front()];
  for (int64_t d = 0; d < static_cast<int64_t>(op.getStrides().size()); ++d)
    k *= op.taps(d);
  return termScratchBytes(columnsOfPanels(op), mostPixels(op), panels * columnsOfPanels(op), k,
                          termsOf(getElementTypeOrSelf(op.getInput().getType())),
                          termsOf(getElementTypeOrSelf(op.getFilter().getType())));
}

ContractionCall callOfTermConv(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "channels in blocks: implicit gemm, products of terms in tile registers";
  call.headers = {"templates/terms/term_conv.h"};
  call.function = "termConv";
  call.templateArguments = {numbered(columnsOfPanels(op))};
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Scratch, Arg::Rows, Arg::Epilogue};
  call.panels = panelsOf(op);
  call.scratchOfShare = bytesOfTermConv(op);
  return call;
}

KernelScratch scratchOfTermConv(ConvOp op, const Target &) { return {bytesOfTermConv(op), 8}; }

std::optional<double> estimateTermConv(ConvOp op, const Target &) {
  return cyclesByTerms(productSizesOf(op), op.getInput(), op.getFilter());
}

} // namespace

Kernel term_conv_kernel() {
  return {"term_conv", 0, ConvKernel{settleTermConv, callOfTermConv, scratchOfTermConv, nullptr, estimateTermConv}};
}

} // namespace sinter
