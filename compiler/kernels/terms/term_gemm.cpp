// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of floats and halves in tile registers, by terms of bf16: templates/terms/term_gemm.h. The right-hand side
// is packed as for gemm; `terms` in #sinter.kernel says how many rows
// of a number that a call brings still go there.
#include "ir/work.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"
#include "kernels/panels/support/panel_count.h"
#include "kernels/panels/support/tile.h"
#include "kernels/terms/support/term_cost.h"
#include "templates/dot4/tile_steps.h"
#include "templates/terms/term_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

KernelAttr settleTermGemm(MatmulOp op, const Target &, StringRef &whyNot) {
  KernelAttr kernel = op.getKernelAttr();
  if (kernel && kernel.getName() == "term_gemm")
    return kernel;
  if (takesTerms(op, whyNot))
    return KernelAttr::get(op.getContext(), "term_gemm", kernel.getParams());
  return {};
}

int64_t bytesOfTerms(MatmulOp op) {
  auto lhs = cast<MemRefType>(op.getLhs().getType()), rhs = cast<MemRefType>(op.getRhs().getType());
  auto output = cast<MemRefType>(op.getInits()[0].getType());
  std::optional<ProductSizes> sizes = productSizesOf(op); // nothing where there is no bound
  int64_t n = output.getShape().back();
  if (ShapedType::isDynamic(n))
    n = rhs.getShape()[0] * rhs.getShape()[2];
  // Rows of all matrices may be one's.
  int64_t m = sizes ? times(sizes->m, sizes->batch) : -1;
  return termScratchBytes(columnsOfPanels(op), m == INT64_MAX ? -1 : m, n, rhs.getShape()[1],
                          termsOf(lhs.getElementType()), termsOf(rhs.getElementType()));
}

ContractionCall callOfTermGemm(MatmulOp op, const Target &target) {
  ContractionCall call;
  call.columns = columnsOfPanels(op);
  call.rows = kRowsOfTiles;
  call.kind = "matmul";
  call.why = "constant right-hand side in panels, many rows: products of terms in tile registers";
  call.headers = {"templates/terms/term_gemm.h"};
  call.function = "termGemm";
  int rows = static_cast<int>(rowsThatCacheHolds(op, rowsOfTile(target, call.columns, op.accumulatorType())));
  call.templateArguments = {numbered(op.getKernelAttr().number("terms")), numbered(rows), numbered(call.columns)};
  call.arguments = {Arg::Lhs, Arg::LhsRow, Arg::Weights, Arg::Output,  Arg::OutputRow, Arg::M,
                    Arg::N,   Arg::K,      Arg::AllRows, Arg::Scratch, Arg::Epilogue};
  call.scratchOfShare = bytesOfTerms(op);
  call.leastSharedRows = leastRowsToShare(cast<ShapedType>(op.getInits()[0].getType()).getShape().back());
  return call;
}

KernelScratch scratchOfTermGemm(MatmulOp op, const Target &) { return {bytesOfTerms(op), 8}; }

std::optional<double> estimateTermGemm(MatmulOp op, const Target &) {
  return cyclesByTerms(productSizesOf(op), op.getLhs(), op.getRhs());
}

} // namespace

Kernel term_gemm_kernel() {
  return {"term_gemm", 0, MatmulKernel{settleTermGemm, callOfTermGemm, scratchOfTermGemm, nullptr, estimateTermGemm}};
}

} // namespace sinter
