// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any layout, types and number of dims, the filter as it is: templates/direct/conv_direct.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleConvDirect(ConvOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  return KernelAttr::get(op.getContext(), "conv_direct", DictionaryAttr::get(op.getContext()));
}

ContractionCall callOfConvDirect(ConvOp, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "filter made at run time, or more than two spatial dims: convDirect";
  call.headers = {"templates/direct/conv_direct.h"};
  call.function = "convDirect";
  call.templateArguments = {Arg::Sum};
  call.arguments = {Arg::Axes, Arg::Input, Arg::Weights, Arg::Output, Arg::Rows, Arg::Epilogue};
  return call;
}

} // namespace

Kernel conv_direct_kernel() {
  return {"conv_direct", 2,
          ConvKernel{settleConvDirect, callOfConvDirect, nullptr, nullptr, estimateBy<scalarCycles, ConvOp>}};
}

} // namespace sinter
