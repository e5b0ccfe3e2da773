// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four columns at a time on rows of bytes: gemmIm2col of templates/im2col/im2col_rows.h.
#include "kernels/cycles.h"
#include "kernels/im2col/support/im2col_shape.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleGemmIm2col(MatmulOp op, const Target &target, StringRef &whyNot) {
  return asPackedIm2col(op, "gemm_im2col", target, whyNot);
}

KernelScratch scratchOfGemmIm2col(MatmulOp op, const Target &target) {
  const Im2colCore &core = *im2colCore(target);
  int64_t k = cast<MemRefType>(op.getLhs().getType()).getShape().back();
  if (core.readsInPlace && !op.isLhsUnsigned() && k % core.step == 0)
    return {};
  return {core.pitch(k, 1)};
}

ContractionCall callOfGemmIm2col(MatmulOp, const Target &target) {
  const Im2colCore &core = *im2colCore(target);
  ContractionCall call;
  call.kind = "matmul";
  call.why = "bytes, constant right-hand side: rows of bytes, four columns at a time";
  call.headers = {core.header};
  call.function = "gemmIm2col";
  call.templateArguments = {named(core.type)};
  call.arguments = {Arg::Lhs, Arg::LhsRow, Arg::Weights, Arg::Output,          Arg::OutputRow,
                    Arg::M,   Arg::N,      Arg::K,       scratchAs("uint8_t"), Arg::Epilogue};
  call.columns = 4;
  call.rows = rowsOfTile(target, call.columns);
  return call;
}

} // namespace

Kernel gemm_im2col_kernel() {
  return {"gemm_im2col", 0,
          MatmulKernel{settleGemmIm2col, callOfGemmIm2col, scratchOfGemmIm2col, nullptr,
                       estimateBy<byteCycles, MatmulOp>, vectorsTakeRequantize}};
}

} // namespace sinter
