// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four columns at a time on rows of bytes: gemmLines of templates/lines/line_product.h.
#include "kernels/lines/support/line_shape.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settle(MatmulOp op, const Target &target, StringRef &whyNot) {
  return asPackedLines(op, "gemm_lines", target, whyNot);
}

KernelScratch scratch(MatmulOp op, const Target &target) {
  const LineCore &core = *lineCore(target);
  int64_t k = cast<MemRefType>(op.getLhs().getType()).getShape().back();
  if (core.readsInPlace && !op.isLhsUnsigned() && k % core.step == 0)
    return {};
  return {core.pitch(k, 1)};
}

ProductCall call(MatmulOp, const Target &target) {
  const LineCore &core = *lineCore(target);
  ProductCall call;
  call.kind = "matmul";
  call.why = "bytes, constant right-hand side: rows as lines, four columns at a time";
  call.headers = {core.header};
  call.function = "gemmLines";
  call.templateArguments = {named(core.type)};
  call.arguments = {Arg::Lhs, Arg::LhsRow, Arg::Weights, Arg::Output,          Arg::OutputRow,
                    Arg::M,   Arg::N,      Arg::K,       scratchAs("uint8_t"), Arg::Epilogue};
  call.takesRequantize = core.isVector;
  call.columns = 4;
  call.rows = tileRows(target, call.columns);
  return call;
}

} // namespace

Kernel gemm_lines_kernel() { return {"gemm_lines", 0, MatmulKernel{settle, call, scratch}}; }

} // namespace sinter
