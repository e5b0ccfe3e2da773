// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_time_panels.h"
#include "kernels/cycles.h"

using namespace mlir;

namespace sinter {

using Arg = CallArgument;

Tile tileOfPanels(MatmulOp op, const Target &target) { return tileFor(target, op.accumulatorType()); }

int64_t bytesOfPanel(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  unsigned bits = getElementTypeOrSelf(op.getRhs().getType()).getIntOrFloatBitWidth();
  return sizes ? sizes->k * tileOfPanels(op, target).columns * static_cast<int64_t>(llvm::divideCeil(bits, 8)) : 0;
}

ContractionCall callByPanels(MatmulOp op, const Target &target, StringRef function, CallArgument pitch) {
  Tile tile = tileOfPanels(op, target);
  ContractionCall call;
  call.columns = tile.columns;
  call.rows = rowsThatCacheHolds(op, tile.rows);
  call.kind = "matmul";
  call.headers = {"templates/direct/gemm_turned.h"};
  call.function = function;
  call.templateArguments = {numbered(call.rows), numbered(call.columns)};
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::LhsColumn, Arg::Weights, pitch,        Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,         Arg::K,       Arg::Scratch, Arg::Epilogue};
  call.isPacked = false;
  call.scratchOfShare = bytesOfPanel(op, target);
  return call;
}

KernelScratch scratchOfPanel(MatmulOp op, const Target &target) { return {bytesOfPanel(op, target), 8}; }

} // namespace sinter
