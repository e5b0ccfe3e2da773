// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel, a window is a vector: templates/im2col/depthwise_columns.h.
#include "templates/im2col/depthwise_columns.h"
#include "kernels/cycles.h"
#include "kernels/im2col/support/im2col_shape.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDepthwiseColumns(ConvOp op, const Target &target, StringRef &whyNot) {
  return asPackedIm2col(op, "depthwise_columns", target, whyNot);
}

KernelScratch scratchOfDepthwiseColumns(ConvOp op, const Target &) {
  Im2colShape s = im2colShapeOf(op);
  return {columnScratch(s.channels, s.width, op.getStrides().back())};
}

std::optional<KernelOrder> orderOfDepthwiseColumns(KernelAttr) { return KernelOrder{Order::Rows, 1, 1}; }

ContractionCall callOfDepthwiseColumns(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "depthwise";
  call.why = "bytes: windows as columns of four rows, a vector each";
  call.headers = {"templates/im2col/depthwise_columns.h"};
  call.function = "depthwiseColumns";
  call.templateArguments = {numbered(cast<MemRefType>(op.getFilter().getType()).getDimSize(1))};
  call.arguments = {Arg::Shape,   Arg::Input,   numbered(op.getKernelAttr().number("zero")),
                    Arg::Weights, Arg::Output,  scratchAs("int8_t"),
                    Arg::Rows,    Arg::Epilogue};
  return call;
}

} // namespace

Kernel depthwise_columns_kernel() {
  return {"depthwise_columns", 0,
          ConvKernel{settleDepthwiseColumns, callOfDepthwiseColumns, scratchOfDepthwiseColumns, orderOfDepthwiseColumns,
                     estimateBy<byteCycles, ConvOp>, vectorsTakeRequantize}};
}

} // namespace sinter
