// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any layout, types and number of dims, on a GPU: templates/cuda/by_element.h.
#include "kernels/cuda/support/product_work.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleConvElement(ConvOp op, const Target &, StringRef &) {
  // Filters that were put in another kernel's order, too.
  KernelAttr packed = op.getKernelAttr();
  return KernelAttr::get(op.getContext(), "conv_element",
                         packed ? packed.getParams() : DictionaryAttr::get(op.getContext()));
}

ContractionCall callOfConvElement(ConvOp, const Target &) {
  ContractionCall call;
  call.kind = "conv";
  call.why = "a thread for each element: no tile takes it as it lies";
  call.headers = {"templates/cuda/by_element.h"};
  call.function = "convElement";
  call.templateArguments = {Arg::Sum};
  call.arguments = {Arg::Element, Arg::Axes, Arg::FilterSteps, Arg::Input, Arg::Weights, Arg::Output, Arg::Epilogue};
  return call;
}

} // namespace

Kernel conv_element_kernel() {
  return gpuKernel("conv_element", 9,
                   ConvKernel{settleConvElement, callOfConvElement, nullptr, nullptr, aloneNanoseconds},
                   workBy<elementWork, ConvOp>);
}

} // namespace sinter
