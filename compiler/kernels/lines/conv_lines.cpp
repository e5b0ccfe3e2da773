// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four filters at a time on lines of bytes: convLines of templates/lines/line_product.h.
#include "kernels/lines/support/line_shape.h"
#include "templates/lines/line_core_plain.h"

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

/// `copies_lines`: none is read where it lies.
KernelAttr settle(ConvOp op, const Target &target, StringRef &whyNot) {
  KernelAttr kernel = asPackedLines(op, "conv_lines", target, whyNot);
  if (!kernel || readsLinesInPlace(op, *lineCore(target)))
    return kernel;
  return kernel.with("copies_lines", UnitAttr::get(op.getContext()));
}

KernelScratch scratch(ConvOp op, const Target &target) {
  const LineCore &core = *lineCore(target);
  LineShape s = lineShapeOf(op);
  bool isInPlace = readsLinesInPlace(op, core);
  // The kernel's own condition for all lines lying in the input as they are wanted.
  if (isInPlace && s.kernelW * s.channels % core.step == 0 && !op.getRowPad() && isInside(op))
    return {};
  constexpr int64_t most = int64_t(1) << 30;
  int64_t pixels = std::min(most, s.height) * std::min(most, s.width), k = s.taps * s.channels;
  return {core.count(k, s.runs, isInPlace, pixels) * core.pitch(k, s.runs)};
}

std::optional<KernelOrder> order(KernelAttr kernel) {
  return KernelOrder{Order::Windows, 1, kPixelsInPlace, kernel && kernel.has("copies_lines")};
}

ProductCall call(ConvOp op, const Target &target) {
  const LineCore &core = *lineCore(target);
  KernelAttr kernel = op.getKernelAttr();
  int64_t runs = kernel.number("runs");
  ProductCall call;
  call.kind = "conv";
  call.why = runs > 1 ? "bytes: rows of each window where they lie, four filters at a time"
                      : "bytes: inputs of each output as a line, four filters at a time";
  call.headers = {core.header};
  call.function = "convLines";
  call.templateArguments = {named(core.type), numbered(runs)};
  call.arguments = {Arg::Shape,   Arg::Input,   numbered(kernel.number("zero")),
                    Arg::Weights, Arg::Output,  scratchAs("uint8_t"),
                    Arg::Rows,    Arg::Epilogue};
  call.takesRequantize = core.isVector;
  return call;
}

} // namespace

Kernel conv_lines_kernel() { return {"conv_lines", 0, ConvKernel{settle, call, scratch, order}}; }

} // namespace sinter
