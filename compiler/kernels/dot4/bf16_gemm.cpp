// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bf16, four products to a lane by instructions that multiply small matrices, weights in panels:
// templates/dot4/bf16_gemm.h.
#include "kernels/cycles.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/tile.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleBf16Gemm(MatmulOp op, const Target &, StringRef &whyNot) {
  return asPackedForRows(op, "bf16_gemm", whyNot);
}

ContractionCall callOfBf16Gemm(MatmulOp op, const Target &target) {
  ArrayRef<int64_t> panels = cast<MemRefType>(op.getRhs().getType()).getShape(); // [panels, k / 4, columns, 4]
  ContractionCall call;
  call.columns = panels[2];
  call.rows = rowsThatCacheHolds(op, rowsOfMatrixTile(target, call.columns), 2);
  call.depth = panels[1] * panels[3];
  call.kind = "matmul";
  call.why = "bf16, constant right-hand side: products of small matrices";
  call.headers = {"templates/dot4/bf16_gemm.h"};
  call.function = "bf16Gemm";
  call.templateArguments = {numbered(call.rows), numbered(call.columns)};
  call.arguments = {Arg::Lhs, Arg::LhsRow, Arg::Weights, Arg::Output,  Arg::OutputRow,
                    Arg::M,   Arg::N,      Arg::K,       Arg::Epilogue};
  return call;
}

/// Four products where floats have one. Rows are multiplied by twos.
std::optional<double> estimateBf16Gemm(MatmulOp op, const Target &target) {
  std::optional<ProductSizes> sizes = productSizesOf(op);
  if (!sizes)
    return std::nullopt;
  sizes->m = (sizes->m + 1) / 2 * 2;
  return macCycles(target, *sizes) / 4;
}

} // namespace

Kernel bf16_gemm_kernel() {
  return {"bf16_gemm", 0, MatmulKernel{settleBf16Gemm, callOfBf16Gemm, nullptr, nullptr, estimateBf16Gemm}};
}

} // namespace sinter
