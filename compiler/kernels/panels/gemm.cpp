// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant right-hand side in panels: templates/panels/gemm.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/panel_count.h"
#include "kernels/panels/support/tile.h"
#include "kernels/terms/support/term_cost.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleGemm(MatmulOp op, const Target &, StringRef &whyNot) {
  KernelAttr kernel = asPacked(op, "gemm", whyNot);
  StringRef ignored;
  if (kernel && takesTerms(op, ignored)) { // sums are rounded otherwise, so that estimates may not choose
    whyNot = "packed for products of terms";
    return {};
  }
  return !kernel || takesTiles(op, whyNot) ? kernel : KernelAttr();
}

ContractionCall callOfGemm(MatmulOp op, const Target &target) {
  ContractionCall call;
  call.columns = columnsOfPanels(op);
  call.rows = rowsThatCacheHolds(op, rowsOfTile(target, call.columns, op.accumulatorType()));
  call.kind = "matmul";
  call.why = "constant right-hand side in panels: gemm";
  call.headers = {"templates/panels/gemm.h"};
  call.function = "gemm";
  call.templateArguments = {numbered(call.rows), numbered(call.columns)};
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::LhsColumn, Arg::Weights, Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,         Arg::K,       Arg::Epilogue};
  return call;
}

} // namespace

Kernel gemm_kernel() {
  return {"gemm", 0, MatmulKernel{settleGemm, callOfGemm, nullptr, nullptr, estimateBy<tileCycles, MatmulOp>}};
}

} // namespace sinter
