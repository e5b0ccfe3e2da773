// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel or a few, or small groups, channels in blocks: templates/panels/depthwise.h.
#include "ir/spreads.h"
#include "kernels/cycles.h"
#include "kernels/kernel.h"

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDepthwise(ConvOp op, const Target &, llvm::StringRef &whyNot) {
  return asPacked(op, "depthwise", whyNot);
}

ContractionCall callOfDepthwise(ConvOp op, const Target &) {
  int64_t taps = op.taps(static_cast<int64_t>(op.getStrides().size()) - 1), stride = op.getStrides().back();
  // [taps..., k], in groups of several [taps..., c, k], of m filters per channel [taps..., c, m, g, c]
  llvm::ArrayRef<int64_t> packed =
      cast<MemRefType>(op.getFilter().getType()).getShape().drop_front(op.getStrides().size());
  int64_t perGroup = packed.size() > 1 ? packed[0] : 1, perChannel = packed.size() > 2 ? packed[1] : 1;
  bool isUsual = taps <= 7 && stride <= 2 && op.getDilations().back() == 1 && !spreadsOf(op);
  ContractionCall call;
  call.kind = perGroup == 1 ? "depthwise" : "conv";
  call.why = perGroup > 1     ? "small groups, lanes along channels"
             : perChannel > 1 ? "few filters per channel, woven together"
                              : "one filter per channel";
  call.headers = {"templates/panels/depthwise.h"};
  call.function = "depthwise";
  call.templateArguments = {numbered(isUsual ? taps : 0), numbered(isUsual ? stride : 0)};
  if (perGroup > 1 || perChannel > 1)
    call.templateArguments.push_back(numbered(perGroup));
  if (perChannel > 1)
    call.templateArguments.push_back(numbered(perChannel));
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel depthwise_kernel() {
  return {"depthwise", 0,
          ConvKernel{settleDepthwise, callOfDepthwise, nullptr, nullptr, estimateBy<macCycles, ConvOp>}};
}

} // namespace sinter
