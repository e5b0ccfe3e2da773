// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right-hand side made at run time whose columns are dense, for enough rows that turning it round pays: gemmTurned of
// templates/direct/gemm_turned.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

/// Of fewer rows dot products are as fast; scratch of more bytes leaves the first-level cache.
constexpr int64_t leastRows = 8, mostScratch = 64 << 10;

Tile tileOf(MatmulOp op, const Target &target) { return tileFor(target, op.accumulatorType()); }

/// A panel of B's columns, for each share of the work.
int64_t bytesOf(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  unsigned bits = getElementTypeOrSelf(op.getRhs().getType()).getIntOrFloatBitWidth();
  return sizes ? sizes->k * tileOf(op, target).columns * static_cast<int64_t>(llvm::divideCeil(bits, 8)) : 0;
}

KernelAttr settleGemmTurned(MatmulOp op, const Target &target, StringRef &whyNot) {
  if (!isPlain(op, whyNot) || !takesTiles(op, whyNot))
    return {};
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (stridesOf(op).rhsRow != 1 || stridesOf(op).rhsColumn == 1)
    whyNot = "columns of the right-hand side have gaps, or it needs no turn";
  else if (!target.vectorRegisters || target.isGpu())
    whyNot = "no vectors to turn it in";
  else if (!sizes || sizes->m < leastRows || sizes->k < target.lanes() || bytesOf(op, target) > mostScratch)
    whyNot = "too few rows, or products for a sum, or too many";
  else
    return KernelAttr::get(op.getContext(), "gemm_turned", DictionaryAttr::get(op.getContext()));
  return {};
}

ContractionCall callOfGemmTurned(MatmulOp op, const Target &target) {
  Tile tile = tileOf(op, target);
  ContractionCall call;
  call.columns = tile.columns;
  call.rows = tile.rows;
  call.kind = "matmul";
  call.why = "transposed right-hand side made at run time, turned round: gemmTurned";
  call.headers = {"templates/direct/gemm_turned.h"};
  call.function = "gemmTurned";
  call.templateArguments = {numbered(call.rows), numbered(call.columns)};
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::LhsColumn, Arg::Weights, Arg::RhsColumn, Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,         Arg::K,       Arg::Scratch,   Arg::Epilogue};
  call.isPacked = false;
  call.scratchOfShare = bytesOf(op, target);
  return call;
}

KernelScratch scratchOfGemmTurned(MatmulOp op, const Target &target) { return {bytesOf(op, target), 8}; }

} // namespace

Kernel gemm_turned_kernel() {
  return {"gemm_turned", 2,
          MatmulKernel{settleGemmTurned, callOfGemmTurned, scratchOfGemmTurned, nullptr,
                       estimateBy<turnedCycles, MatmulOp>}};
}

} // namespace sinter
