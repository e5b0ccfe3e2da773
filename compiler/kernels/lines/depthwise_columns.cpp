// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel, a window is a vector: templates/lines/depthwise_columns.h.
#include "templates/lines/depthwise_columns.h"
#include "kernels/lines/support/line_shape.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settle(ConvOp op, const Target &target, StringRef &whyNot) {
  return asPackedLines(op, "depthwise_columns", target, whyNot);
}

KernelScratch scratch(ConvOp op, const Target &) {
  LineShape s = lineShapeOf(op);
  return {columnScratch(s.channels, s.width, op.getStrides().back())};
}

std::optional<KernelOrder> order(KernelAttr) { return KernelOrder{Order::Rows, 1, 1}; }

ProductCall call(ConvOp op, const Target &target) {
  ProductCall call;
  call.kind = "depthwise";
  call.why = "bytes: windows as columns of four rows, a vector each";
  call.headers = {"templates/lines/depthwise_columns.h"};
  call.function = "depthwiseColumns";
  call.templateArguments = {numbered(cast<MemRefType>(op.getFilter().getType()).getDimSize(1))};
  call.arguments = {Arg::Shape,   Arg::Input,   numbered(op.getKernelAttr().number("zero")),
                    Arg::Weights, Arg::Output,  scratchAs("int8_t"),
                    Arg::Rows,    Arg::Epilogue};
  call.takesRequantize = lineCore(target)->isVector;
  return call;
}

} // namespace

Kernel depthwise_columns_kernel() { return {"depthwise_columns", 0, ConvKernel{settle, call, scratch, order}}; }

} // namespace sinter
