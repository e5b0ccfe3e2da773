// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels in blocks, filters in panels: templates/panels/conv.h.
#include "kernels/cycles.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/costly_epilogue.h"
#include "kernels/panels/support/panel_count.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleConv(ConvOp op, const Target &, StringRef &whyNot) { return asPacked(op, "conv", whyNot); }

ContractionCall callOfConv(ConvOp op, const Target &target) {
  int64_t columns = columnsOfPanels(op);
  ContractionCall call;
  call.kind = "conv";
  call.why = "channels in blocks: implicit gemm";
  call.headers = {"templates/panels/conv.h"};
  call.function = "conv";
  call.templateArguments = {numbered(rowsOfTile(target, columns, op.accumulatorType())), numbered(columns)};
  if (isCostlyEpilogue(op.getEpilogue()))
    call.templateArguments.push_back(named("kCostlyEpilogue"));
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  call.panels = panelsOf(op);
  return call;
}

} // namespace

Kernel conv_kernel() {
  return {"conv", 0, ConvKernel{settleConv, callOfConv, nullptr, nullptr, estimateBy<tileCycles, ConvOp>}};
}

} // namespace sinter
