// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right-hand side made at run time whose dense rows meet in the first-level cache, for enough rows of the left one
// that copying it pays: gemmCopied of templates/direct/gemm_turned.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/run_time_panels.h"

using namespace mlir;

namespace sinter {
namespace {

/// For fewer rows what is copied is not read often enough.
constexpr int64_t leastRowsToCopy = 32;

KernelAttr settleGemmCopied(MatmulOp op, const Target &target, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (!target.vectorRegisters || target.isGpu() || !rowsMeetInCache(op))
    whyNot = "rows of the right-hand side do not meet in the cache";
  else if (!sizes || sizes->m < leastRowsToCopy || bytesOfPanel(op, target) > kMostPanelBytes)
    whyNot = "too few rows, or too many products for a sum";
  else
    return KernelAttr::get(op.getContext(), "gemm_copied", DictionaryAttr::get(op.getContext()));
  return {};
}

ContractionCall callOfGemmCopied(MatmulOp op, const Target &target) {
  ContractionCall call = callByPanels(op, target, "gemmCopied", CallArgument::RhsRow);
  call.why = "right-hand side made at run time, whose rows meet in the cache: gemmCopied";
  return call;
}

} // namespace

Kernel gemm_copied_kernel() {
  return {
      "gemm_copied", 2,
      MatmulKernel{settleGemmCopied, callOfGemmCopied, scratchOfPanel, nullptr, estimateBy<copiedCycles, MatmulOp>}};
}

} // namespace sinter
