// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel, channels in blocks: templates/panels/depthwise.h.
#include "kernels/cycles.h"
#include "kernels/kernel.h"

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settle(ConvOp op, const Target &, llvm::StringRef &whyNot) { return asPacked(op, "depthwise", whyNot); }

ContractionCall call(ConvOp op, const Target &) {
  int64_t taps = op.taps(static_cast<int64_t>(op.getStrides().size()) - 1), stride = op.getStrides().back();
  bool isUsual = (taps == 3 || taps == 5) && stride <= 2 && op.getDilations().back() == 1;
  ContractionCall call;
  call.kind = "depthwise";
  call.why = "one filter per channel";
  call.headers = {"templates/panels/depthwise.h"};
  call.function = "depthwise";
  call.templateArguments = {numbered(isUsual ? taps : 0), numbered(isUsual ? stride : 0)};
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel depthwise_kernel() {
  return {"depthwise", 0, ConvKernel{settle, call, nullptr, nullptr, estimateBy<macCycles, ConvOp>}};
}

} // namespace sinter
