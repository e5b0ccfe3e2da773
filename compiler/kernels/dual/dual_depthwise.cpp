// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One filter per channel on planes of 16 bits: templates/dual/dual_depthwise.h.
#include "kernels/cycles.h"
#include "kernels/dual/support/dual_shape.h"
#include "kernels/kernel.h"

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleDualDepthwise(ConvOp op, const Target &, llvm::StringRef &whyNot) {
  return asPacked(op, "dual_depthwise", whyNot);
}

KernelScratch scratchOfDualDepthwise(ConvOp op, const Target &) { return {dualShapeOf(op).scratch, 16}; }

std::optional<KernelOrder> orderOfDualDepthwise(KernelAttr) { return KernelOrder{Order::Planes, 1, 1}; }

ContractionCall callOfDualDepthwise(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "depthwise";
  call.why = "bytes: planes of 16 bits, two products at a time";
  call.headers = {"templates/dual/dual_depthwise.h"};
  call.function = "dualDepthwise";
  call.arguments = {Arg::BoundedShape, Arg::Input,   numbered(static_cast<int64_t>(op.getInputZero())),
                    Arg::Weights,      Arg::Output,  Arg::Scratch,
                    Arg::Rows,         Arg::Epilogue};
  call.isShared = false; // one scratch
  return call;
}

} // namespace

Kernel dual_depthwise_kernel() {
  return {"dual_depthwise", 0,
          ConvKernel{settleDualDepthwise, callOfDualDepthwise, scratchOfDualDepthwise, orderOfDualDepthwise,
                     estimateBy<byteCycles, ConvOp>}};
}

} // namespace sinter
