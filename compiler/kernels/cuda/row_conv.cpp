// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of few pixels whose windows are one row of memory each, on a GPU: templates/cuda/row_conv.h.
#include "kernels/cuda/support/pixel_conv.h"
#include "kernels/cuda/support/product_work.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

/// Whether each window is a pixel, or all of a picture whose pixels lie side by side.
bool hasRowsForWindows(ConvOp op) {
  auto input = cast<MemRefType>(op.getInput().getType()), output = cast<MemRefType>(op.getInits()[0].getType());
  bool isPointwise = true, isWhole = input.getLayout().isIdentity();
  for (int64_t d = 0; d < static_cast<int64_t>(op.getStrides().size()); ++d) {
    int64_t size = input.getDimSize(op.firstSpatialIn() + d), outputs = output.getDimSize(op.firstSpatialOut() + d);
    bool isPadded = op.getPads()[d] != 0; // in front; what is behind shows in the sizes
    isPointwise &= op.taps(d) == 1 && op.getStrides()[d] == 1 && !isPadded && size == outputs;
    isWhole &= op.taps(d) == size && outputs == 1 && op.getDilations()[d] == 1 && !isPadded;
  }
  return isPointwise || isWhole;
}

KernelAttr settleRowConv(ConvOp op, const Target &, StringRef &whyNot) {
  KernelAttr kernel = asPixelConv(op, "row_conv", whyNot);
  if (!kernel)
    return {};
  std::optional<int64_t> pixels = pixelsOf(op);
  if (!pixels || *pixels > mostFewRows)
    whyNot = "more than a few pixels";
  else if (op.getGroup() != 1 || hasPlanes(op) || !hasRowsForWindows(op))
    whyNot = "windows that are no rows of memory";
  else
    return kernel;
  return {};
}

ContractionCall callOfRowConv(ConvOp op, const Target &) {
  constexpr int64_t chunk = 16;
  auto input = cast<MemRefType>(op.getInput().getType()), filter = cast<MemRefType>(op.getFilter().getType());
  int64_t bytes = input.getElementTypeBitWidth() / 8;
  bool isAligned = filter.getShape().back() * bytes % chunk == 0 && hasAlignedRows(op.getInput());
  ContractionCall call;
  call.kind = "conv";
  call.why = "few pixels: a warp for each filter: rowConv";
  call.headers = {"templates/cuda/row_conv.h", "templates/panels/tile.h"};
  call.function = "cuda::rowConv";
  setRowsOfWarps(call, *pixelsOf(op), isAligned ? chunk / bytes : 1);
  call.arguments = {Arg::Input,    Arg::Weights,    Arg::FilterRow, Arg::Output,
                    Arg::PixelRow, Arg::PixelShape, Arg::Filters,   Arg::Epilogue};
  return call;
}

} // namespace

Kernel row_conv_kernel() {
  return gpuKernel("row_conv", 3, ConvKernel{settleRowConv, callOfRowConv}, workBy<rowsWork, ConvOp>);
}

} // namespace sinter
