// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right-hand side made at run time whose rows are dense: gemmRows of templates/direct/gemm_unpacked.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleGemmRows(MatmulOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  if (stridesOf(op).rhsColumn == 1)
    return KernelAttr::get(op.getContext(), "gemm_rows", DictionaryAttr::get(op.getContext()));
  whyNot = "rows of the right-hand side have gaps";
  return {};
}

/// Of rows that meet in the cache each tile takes those of a panel from the second level.
std::optional<double> cyclesOfGemmRows(MatmulOp op, const Target &target) {
  std::optional<double> cycles = estimateBy<rowCycles, MatmulOp>(op, target);
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (!cycles || !sizes || !rowsMeetInCache(op))
    return cycles;
  Tile tile = tileFor(target, op.accumulatorType());
  double tiles = double(llvm::divideCeil(sizes->m, tile.rows)) * double(llvm::divideCeil(sizes->n, tile.columns));
  unsigned bits = getElementTypeOrSelf(op.getRhs().getType()).getIntOrFloatBitWidth();
  double bytes = double(tile.columns) * bits / 8;
  return *cycles + double(sizes->batch) * tiles * double(sizes->k) * bytes / target.machine.l2BytesPerCycle;
}

ContractionCall callOfGemmRows(MatmulOp op, const Target &target) {
  Tile tile = tileFor(target, op.accumulatorType());
  ContractionCall call;
  call.columns = tile.columns;
  call.rows = rowsThatCacheHolds(op, tile.rows);
  call.kind = "matmul";
  call.why = "right-hand side made at run time: gemmRows";
  call.headers = {"templates/direct/gemm_unpacked.h"};
  call.function = "gemmRows";
  call.templateArguments = {numbered(call.rows), numbered(call.columns)};
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::LhsColumn, Arg::Weights, Arg::RhsRow,  Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,         Arg::K,       Arg::Epilogue};
  call.isPacked = false;
  return call;
}

} // namespace

Kernel gemm_rows_kernel() {
  return {"gemm_rows", 1, MatmulKernel{settleGemmRows, callOfGemmRows, nullptr, nullptr, cyclesOfGemmRows}};
}

} // namespace sinter
