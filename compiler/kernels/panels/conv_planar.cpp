// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain channels, filters in panels: templates/panels/conv_planar.h.
#include "kernels/cycles.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/panel_count.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleConvPlanar(ConvOp op, const Target &, StringRef &whyNot) {
  return asPacked(op, "conv_planar", whyNot);
}

ContractionCall callOfConvPlanar(ConvOp op, const Target &target) {
  int64_t columns = columnsOfPanels(op);
  ContractionCall call;
  call.kind = "conv";
  call.why = "reads plain channels";
  call.headers = {"templates/panels/conv_planar.h"};
  call.function = "convPlanar";
  call.templateArguments = {numbered(rowsOfTile(target, columns, op.accumulatorType())), numbered(columns)};
  call.arguments = {Arg::Shape, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel conv_planar_kernel() {
  return {"conv_planar", 0,
          ConvKernel{settleConvPlanar, callOfConvPlanar, nullptr, nullptr, estimateBy<tileCycles, ConvOp>}};
}

} // namespace sinter
