// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right-hand side made at run time whose columns are dense, for enough rows that turning it round pays: gemmTurned of
// templates/direct/gemm_turned.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/run_time_panels.h"

using namespace mlir;

namespace sinter {
namespace {

/// Of fewer rows dot products are as fast.
constexpr int64_t leastRows = 8;

KernelAttr settleGemmTurned(MatmulOp op, const Target &target, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (stridesOf(op).rhsRow != 1 || stridesOf(op).rhsColumn == 1)
    whyNot = "columns of the right-hand side have gaps, or it needs no turn";
  else if (!target.vectorRegisters || target.isGpu())
    whyNot = "no vectors to turn it in";
  else if (!sizes || sizes->m < leastRows || sizes->k < target.lanes() || bytesOfPanel(op, target) > kMostPanelBytes)
    whyNot = "too few rows, or products for a sum, or too many";
  else
    return KernelAttr::get(op.getContext(), "gemm_turned", DictionaryAttr::get(op.getContext()));
  return {};
}

ContractionCall callOfGemmTurned(MatmulOp op, const Target &target) {
  ContractionCall call = callByPanels(op, target, "gemmTurned", CallArgument::RhsColumn);
  call.why = "transposed right-hand side made at run time, turned round: gemmTurned";
  return call;
}

} // namespace

Kernel gemm_turned_kernel() {
  return {
      "gemm_turned", 2,
      MatmulKernel{settleGemmTurned, callOfGemmTurned, scratchOfPanel, nullptr, estimateBy<turnedCycles, MatmulOp>}};
}

} // namespace sinter
