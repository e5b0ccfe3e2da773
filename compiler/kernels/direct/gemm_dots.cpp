// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right-hand side made at run time whose columns are dense, as its transpose's rows: gemmDots of
// templates/direct/gemm_unpacked.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleGemmDots(MatmulOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  if (stridesOf(op).rhsRow == 1 && stridesOf(op).lhsColumn == 1)
    return KernelAttr::get(op.getContext(), "gemm_dots", DictionaryAttr::get(op.getContext()));
  whyNot = "columns of the right-hand side, or rows of the left one, have gaps";
  return {};
}

ContractionCall callOfGemmDots(MatmulOp, const Target &target) {
  Tile tile = tileFor(target);
  ContractionCall call;
  call.columns = tile.columns;
  call.rows = rowsOfTile(target, tile.columns);
  call.kind = "matmul";
  call.why = "transposed right-hand side made at run time: gemmDots";
  call.headers = {"templates/direct/gemm_unpacked.h"};
  call.function = "gemmDots";
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::Weights, Arg::RhsColumn, Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,       Arg::K,         Arg::Epilogue};
  call.isPacked = false;
  return call;
}

} // namespace

Kernel gemm_dots_kernel() {
  return {"gemm_dots", 2,
          MatmulKernel{settleGemmDots, callOfGemmDots, nullptr, nullptr, estimateBy<dotCycles, MatmulOp>}};
}

} // namespace sinter
