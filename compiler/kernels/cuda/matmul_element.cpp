// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any types and strides, on a GPU: templates/cuda/by_element.h.
#include "kernels/cuda/support/product_work.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleMatmulElement(MatmulOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  return KernelAttr::get(op.getContext(), "matmul_element", DictionaryAttr::get(op.getContext()));
}

ContractionCall callOfMatmulElement(MatmulOp, const Target &) {
  ContractionCall call;
  call.kind = "matmul";
  call.why = "a thread for each element: no tile takes it as it lies";
  call.headers = {"templates/cuda/by_element.h"};
  call.function = "matmulElement";
  call.templateArguments = {Arg::Sum};
  call.arguments = {Arg::Element,      Arg::LhsElements, Arg::RhsElements, Arg::Output, Arg::OutputRow,
                    Arg::OutputColumn, Arg::M,           Arg::N,           Arg::K,      Arg::Epilogue};
  call.isPacked = false;
  call.hasFixedSizes = false;
  return call;
}

} // namespace

Kernel matmul_element_kernel() {
  return gpuKernel("matmul_element", 9,
                   MatmulKernel{settleMatmulElement, callOfMatmulElement, nullptr, nullptr, aloneNanoseconds},
                   workBy<elementWork, MatmulOp>);
}

} // namespace sinter
