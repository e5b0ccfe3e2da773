// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain channels whose rows are dense, the filter as it is: templates/direct/conv_rows.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

bool hasDenseRows(Value map) {
  auto [strides, offset] = getStridesAndOffset(cast<MemRefType>(map.getType()));
  (void)offset;
  return strides.back() == 1;
}

KernelAttr settle(ConvOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  if (op.getLayout() == "nchw" && hasDenseRows(op.getInput()) && hasDenseRows(op.getInits()[0]))
    return KernelAttr::get(op.getContext(), "conv_rows", DictionaryAttr::get(op.getContext()));
  whyNot = "rows of plain channels have gaps";
  return {};
}

ContractionCall call(ConvOp, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "lanes along rows";
  call.headers = {"templates/direct/conv_rows.h"};
  call.function = "convRows";
  call.templateArguments = {Arg::Sum};
  call.arguments = {Arg::Axes, Arg::Input, Arg::Weights, Arg::Output, Arg::Epilogue};
  call.isShared = false;
  call.runsAlongRows = true;
  return call;
}

} // namespace

Kernel conv_rows_kernel() {
  return {"conv_rows", 1, ConvKernel{settle, call, nullptr, nullptr, estimateBy<alongRowCycles, ConvOp>}};
}

} // namespace sinter
