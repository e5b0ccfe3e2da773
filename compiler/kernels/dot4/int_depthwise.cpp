// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel, four taps to an int32 lane: templates/dot4/int_depthwise.h.
#include "kernels/cycles.h"
#include "kernels/dot4/support/byte_kind.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleIntDepthwise(ConvOp op, const Target &, StringRef &whyNot) {
  return asPacked(op, "int_depthwise", whyNot);
}

ContractionCall callOfIntDepthwise(ConvOp op, const Target &) {
  int64_t stride = op.getStrides().back();
  bool isUsual = op.getStrides().size() == 2 && op.taps(0) <= 9 && op.taps(1) <= 9 && stride <= 2 &&
                 llvm::all_of(op.getDilations(), [](int64_t dilation) { return dilation == 1; });
  ContractionCall call;
  call.kind = "depthwise";
  call.why = "bytes: one filter per channel, four taps to a lane";
  call.headers = {"templates/dot4/int_depthwise.h"};
  call.function = "intDepthwise";
  call.templateArguments = {numbered(isUsual ? op.taps(1) : 0), numbered(isUsual ? stride : 0),
                            named(byteKind(op.getKernelAttr(), op.isInputUnsigned()))};
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel int_depthwise_kernel() {
  return {"int_depthwise", 0,
          ConvKernel{settleIntDepthwise, callOfIntDepthwise, nullptr, nullptr, estimateBy<byteCycles, ConvOp>}};
}

} // namespace sinter
