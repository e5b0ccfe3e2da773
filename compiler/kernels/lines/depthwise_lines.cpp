// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel, a window of all channels at a time: templates/lines/depthwise_lines.h.
#include "kernels/lines/support/line_shape.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settle(ConvOp op, const Target &target, StringRef &whyNot) {
  return asPackedLines(op, "depthwise_lines", target, whyNot);
}

KernelScratch scratch(ConvOp op, const Target &) {
  LineShape s = lineShapeOf(op);
  return {s.taps * s.channels};
}

std::optional<KernelOrder> order(KernelAttr) { return KernelOrder{Order::Windows, 1, 1}; }

ProductCall call(ConvOp op, const Target &target) {
  ProductCall call;
  call.kind = "depthwise";
  call.why = "bytes: a window of all channels at a time";
  call.headers = {"templates/lines/depthwise_lines.h"};
  call.function = "depthwiseLines";
  call.arguments = {Arg::Shape,   Arg::Input,   numbered(op.getKernelAttr().number("zero")),
                    Arg::Weights, Arg::Output,  scratchAs(op.isInputUnsigned() ? "uint8_t" : "int8_t"),
                    Arg::Rows,    Arg::Epilogue};
  call.takesRequantize = lineCore(target)->isVector;
  return call;
}

} // namespace

Kernel depthwise_lines_kernel() { return {"depthwise_lines", 0, ConvKernel{settle, call, scratch, order}}; }

} // namespace sinter
