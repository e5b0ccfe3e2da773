// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16 products for four outputs of a 3x3 window: templates/dual/dual_winograd.h.
#include "kernels/dual/support/dual_cost.h"
#include "kernels/kernel.h"

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDualWinograd(ConvOp op, const Target &, llvm::StringRef &whyNot) {
  return asPacked(op, "dual_winograd", whyNot);
}

KernelScratch scratchOfDualWinograd(ConvOp op, const Target &) {
  return {winogradScratchOf(dualShapeOf(op).channels), 16};
}

std::optional<KernelOrder> orderOfDualWinograd(KernelAttr) { return KernelOrder{Order::Windows, 2, 1}; }

std::optional<double> estimateDualWinograd(ConvOp op, const Target &) {
  std::optional<DualShape> shape = packedDualShapeOf(op);
  return shape && isForWinograd(*shape) ? std::optional(static_cast<double>(winogradInstructions(*shape)))
                                        : std::nullopt;
}

ContractionCall callOfDualWinograd(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "bytes: 16 products for four outputs" + choiceOf(op.getKernelAttr());
  call.headers = {"templates/dual/dual_winograd.h"};
  call.function = "dualWinograd";
  call.arguments = {Arg::BoundedShape,
                    Arg::Input,
                    numbered(static_cast<int64_t>(op.getInputZero())),
                    Arg::Weights,
                    Arg::Output,
                    Arg::Scratch,
                    groupsOf(op.getFilter()),
                    Arg::Rows,
                    Arg::Epilogue};
  call.isShared = false; // one scratch
  return call;
}

} // namespace

Kernel dual_winograd_kernel() {
  return {"dual_winograd", 0,
          ConvKernel{settleDualWinograd, callOfDualWinograd, scratchOfDualWinograd, orderOfDualWinograd,
                     estimateDualWinograd}};
}

} // namespace sinter
