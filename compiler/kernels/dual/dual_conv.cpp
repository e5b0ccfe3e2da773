// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters in pairs on widened rows: templates/dual/dual_conv.h.
#include "kernels/dual/support/dual_cost.h"
#include "kernels/kernel.h"

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDualConv(ConvOp op, const Target &, llvm::StringRef &whyNot) {
  return asPacked(op, "dual_conv", whyNot);
}

KernelScratch scratchOfDualConv(ConvOp op, const Target &) { return {dualShapeOf(op).scratch, 16}; }

std::optional<KernelOrder> orderOfDualConv(KernelAttr) { return KernelOrder{Order::Held, 1, 1}; }

std::optional<double> estimateDualConv(ConvOp op, const Target &) {
  std::optional<DualShape> shape = packedDualShapeOf(op);
  return shape ? std::optional(static_cast<double>(dualConvInstructions(*shape))) : std::nullopt;
}

ContractionCall callOfDualConv(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "bytes: filters in pairs, two products at a time" + choiceOf(op.getKernelAttr());
  call.headers = {"templates/dual/dual_conv.h"};
  call.function = "dualConv";
  if (dualShapeOf(op).hasPlanes)
    call.templateArguments = {named("Channels::First")};
  call.arguments = {Arg::BoundedShape,
                    Arg::Input,
                    numbered(static_cast<int64_t>(op.getInputZero())),
                    Arg::Weights,
                    Arg::Output,
                    Arg::Scratch,
                    groupsOf(op.getFilter()),
                    provedOf(op.getKernelAttr()),
                    Arg::Rows,
                    Arg::Epilogue};
  call.isShared = false; // one scratch
  return call;
}

} // namespace

Kernel dual_conv_kernel() {
  return {"dual_conv", 0,
          ConvKernel{settleDualConv, callOfDualConv, scratchOfDualConv, orderOfDualConv, estimateDualConv}};
}

} // namespace sinter
