// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four filters at a time on im2col rows of bytes: convIm2col of templates/im2col/im2col_rows.h.
#include "kernels/cycles.h"
#include "kernels/im2col/support/im2col_shape.h"
#include "templates/im2col/row_core_plain.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

/// Whether all windows are inside of the image.
bool isInside(ConvOp op) {
  auto in = cast<MemRefType>(op.getInput().getType()), out = cast<MemRefType>(op.getInits()[0].getType());
  for (size_t d = 0; d < op.getStrides().size(); ++d) {
    int64_t size = in.getDimSize(2 + d), last = out.getDimSize(2 + d) - 1;
    if (op.getPads()[d] != 0 || ShapedType::isDynamic(size) || ShapedType::isDynamic(out.getDimSize(2 + d)) ||
        last * op.getStrides()[d] + (op.taps(static_cast<int64_t>(d)) - 1) * op.getDilations()[d] >= size)
      return false;
  }
  return true;
}

/// `copies_rows`: none is read where it lies.
KernelAttr settleConvIm2col(ConvOp op, const Target &target, StringRef &whyNot) {
  KernelAttr kernel = asPackedIm2col(op, "conv_im2col", target, whyNot);
  if (!kernel || readsRowsInPlace(op, *im2colCore(target)))
    return kernel;
  return kernel.with("copies_rows", UnitAttr::get(op.getContext()));
}

KernelScratch scratchOfConvIm2col(ConvOp op, const Target &target) {
  const Im2colCore &core = *im2colCore(target);
  Im2colShape s = im2colShapeOf(op);
  bool isInPlace = readsRowsInPlace(op, core);
  // The kernel's own condition for all rows lying in the input as they are wanted.
  if (isInPlace && s.kernelW * s.channels % core.step == 0 && !op.getRowPad() && isInside(op))
    return {};
  constexpr int64_t most = int64_t(1) << 30;
  int64_t pixels = std::min(most, s.height) * std::min(most, s.width), k = s.taps * s.channels;
  return {core.count(k, s.runs, isInPlace, pixels) * core.pitch(k, s.runs)};
}

std::optional<KernelOrder> orderOfConvIm2col(KernelAttr kernel) {
  return KernelOrder{Order::Windows, 1, kPixelsInPlace, kernel && kernel.has("copies_rows")};
}

ContractionCall callOfConvIm2col(ConvOp op, const Target &target) {
  const Im2colCore &core = *im2colCore(target);
  KernelAttr kernel = op.getKernelAttr();
  int64_t runs = kernel.number("runs");
  ContractionCall call;
  call.kind = "conv";
  call.why = runs > 1 ? "bytes: rows of each window where they lie, four filters at a time"
                      : "bytes: inputs of each output as an im2col row, four filters at a time";
  call.headers = {core.header};
  call.function = "convIm2col";
  call.templateArguments = {named(core.type), numbered(runs)};
  call.arguments = {Arg::Shape,   Arg::Input,   numbered(kernel.number("zero")),
                    Arg::Weights, Arg::Output,  scratchAs("uint8_t"),
                    Arg::Rows,    Arg::Epilogue};
  return call;
}

} // namespace

Kernel conv_im2col_kernel() {
  return {"conv_im2col", 0,
          ConvKernel{settleConvIm2col, callOfConvIm2col, scratchOfConvIm2col, orderOfConvIm2col,
                     estimateBy<byteCycles, ConvOp>, vectorsTakeRequantize}};
}

} // namespace sinter
