// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four products of bytes to an int32 lane, weights in panels: templates/dot4/int_gemm.h; with `tiles` tile_gemm.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/dot4/support/byte_kind.h"
#include "kernels/dot4/support/tile_cost.h"
#include "kernels/kernel.h"
#include "templates/dot4/tile_steps.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleIntGemm(MatmulOp op, const Target &, StringRef &whyNot) {
  return asPackedForRows(op, "int_gemm", whyNot);
}

ContractionCall callOfIntGemm(MatmulOp op, const Target &target) {
  ArrayRef<int64_t> panels = cast<MemRefType>(op.getRhs().getType()).getShape(); // [panels, k / 4, columns * 4]
  int64_t together = bytesTogether(op.getKernelAttr());
  ContractionCall call;
  call.columns = panels.back() / together;
  call.rows = rowsThatCacheHolds(op, rowsOfByteTile(target, call.columns, together), together == 8 ? 2 : 1);
  call.depth = panels[1] * together;
  call.kind = "matmul";
  call.why = together == 8 ? "bytes, constant right-hand side: products of small matrices"
                           : "bytes, constant right-hand side: four products to a lane";
  call.headers = {"templates/dot4/int_gemm.h"};
  call.function = "intGemm";
  call.templateArguments = {numbered(call.rows), numbered(call.columns),
                            named(byteKind(op.getKernelAttr(), op.isLhsUnsigned()))};
  if (op.getKernelAttr().has("tiles")) {
    call.rows = kTileRows;
    call.why = "bytes, constant right-hand side: products in tile registers";
    call.headers = {"templates/dot4/tile_gemm.h"};
    call.function = "tileGemm";
    call.templateArguments.erase(call.templateArguments.begin());
  }
  call.arguments = {Arg::Lhs, Arg::LhsRow, Arg::Weights, Arg::Output,  Arg::OutputRow,
                    Arg::M,   Arg::N,      Arg::K,       Arg::Epilogue};
  return call;
}

} // namespace

Kernel int_gemm_kernel() {
  return {"int_gemm", 0, MatmulKernel{settleIntGemm, callOfIntGemm, nullptr, nullptr, estimateBytes}};
}

} // namespace sinter
