// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel, a window of all channels at a time: templates/im2col/depthwise_im2col.h.
#include "kernels/cycles.h"
#include "kernels/im2col/support/im2col_shape.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDepthwiseIm2col(ConvOp op, const Target &target, StringRef &whyNot) {
  return asPackedIm2col(op, "depthwise_im2col", target, whyNot);
}

KernelScratch scratchOfDepthwiseIm2col(ConvOp op, const Target &) {
  Im2colShape s = im2colShapeOf(op);
  return {s.taps * s.channels};
}

std::optional<KernelOrder> orderOfDepthwiseIm2col(KernelAttr) { return KernelOrder{Order::Windows, 1, 1}; }

ContractionCall callOfDepthwiseIm2col(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "depthwise";
  call.why = "bytes: a window of all channels at a time";
  call.headers = {"templates/im2col/depthwise_im2col.h"};
  call.function = "depthwiseIm2col";
  call.arguments = {Arg::Shape,   Arg::Input,   numbered(op.getKernelAttr().number("zero")),
                    Arg::Weights, Arg::Output,  scratchAs(op.isInputUnsigned() ? "uint8_t" : "int8_t"),
                    Arg::Rows,    Arg::Epilogue};
  return call;
}

} // namespace

Kernel depthwise_im2col_kernel() {
  return {"depthwise_im2col", 0,
          ConvKernel{settleDepthwiseIm2col, callOfDepthwiseIm2col, scratchOfDepthwiseIm2col, orderOfDepthwiseIm2col,
                     estimateBy<byteCycles, ConvOp>, vectorsTakeRequantize}};
}

} // namespace sinter
