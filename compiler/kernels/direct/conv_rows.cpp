// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain channels whose rows are dense, the filter as it is: templates/direct/conv_rows.h.
#include "templates/direct/conv_rows.h"
#include "ir/spreads.h"
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/direct/support/points.h"
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

KernelAttr settleConvRows(ConvOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  if (op.getLayout() == "nchw" && !spreadsOf(op) && hasDenseRows(op.getInput()) && hasDenseRows(op.getInits()[0]))
    return KernelAttr::get(op.getContext(), "conv_rows", DictionaryAttr::get(op.getContext()));
  whyNot = spreadsOf(op) ? "the input is spread out" : "rows of plain channels have gaps";
  return {};
}

ContractionCall callOfConvRows(ConvOp op, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "lanes along rows";
  call.headers = {"templates/direct/conv_rows.h"};
  bool isOfPlanes = isOfPoints(op) && hasEpilogueOfPlanes(op) && hasDensePlanes(op);
  call.function = isOfPlanes ? "convPoints" : "convRows";
  call.templateArguments = {Arg::Sum};
  int64_t filters = cast<MemRefType>(op.getFilter().getType()).getDimSize(0);
  if (!ShapedType::isDynamic(filters))
    call.templateArguments.push_back(numbered(tileSizes(filters / static_cast<int64_t>(op.getGroup()), kRowFilters)));
  call.arguments = {Arg::Axes, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  call.runsAlongRows = true;
  return call;
}

} // namespace

Kernel conv_rows_kernel() {
  return {"conv_rows", 1,
          ConvKernel{settleConvRows, callOfConvRows, nullptr, nullptr, estimateBy<alongRowCycles, ConvOp>}};
}

} // namespace sinter
