// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few filters, channels in lanes: templates/panels/conv_dots.h.
#include "kernels/cycles.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleConvDots(ConvOp op, const Target &, StringRef &whyNot) { return asPacked(op, "conv_dots", whyNot); }

ContractionCall callOfConvDots(ConvOp op, const Target &target) {
  int64_t pixels = target.vectorRegisters >= 32 ? 6 : 2; // of a tile of four filters
  ContractionCall call;
  call.kind = "conv";
  call.why = "few filters: channels in lanes";
  call.headers = {"templates/panels/conv_dots.h"};
  call.function = "convDots";
  call.templateArguments = {numbered(pixels), numbered(op.getKernelAttr().number("lanes"))};
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel conv_dots_kernel() {
  return {"conv_dots", 0, ConvKernel{settleConvDots, callOfConvDots, nullptr, nullptr, estimateBy<dotCycles, ConvOp>}};
}

} // namespace sinter
