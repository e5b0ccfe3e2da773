// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products with few rows on a GPU, in float, halves and bytes: templates/cuda/row_products.h. The right-hand
// side has k side by side.
#include "kernels/cuda/support/product_work.h"
#include "kernels/cuda/support/tile_choice.h"
#include "kernels/direct/support/matmul_strides.h"
#include "kernels/kernel.h"

using namespace mlir;

namespace sinter {
namespace {

using Arg = CallArgument;

/// Rows that one right-hand side is multiplied with; all where it has no batches.
std::optional<int64_t> rowsOfProduct(MatmulOp op) {
  auto type = cast<MemRefType>(op.getInits()[0].getType());
  if (cast<MemRefType>(op.getRhs().getType()).getRank() == 2)
    return outputSizesOf(op).first;
  int64_t rows = type.getDimSize(type.getRank() - 2);
  return ShapedType::isDynamic(rows) ? std::nullopt : std::optional(rows);
}

KernelAttr settleRowProducts(MatmulOp op, const Target &, StringRef &whyNot) {
  if (!isPlain(op, whyNot))
    return {};
  MatmulStrides strides = stridesOf(op);
  Type element = getElementTypeOrSelf(op.getLhs().getType()), sum = op.accumulatorType();
  bool isFloat = (element.isF32() || element.isF16() || element.isBF16()) && sum.isF32();
  bool isBytes =
      element.isInteger(8) && sum.isInteger(32) && !op.getLhsZero() && !op.getRhsZero() && !op.isRhsUnsigned();
  std::optional<int64_t> rows = rowsOfProduct(op);
  if (!rows || *rows > mostFewRows)
    whyNot = "more than a few rows";
  else if (!(isFloat || isBytes) || getElementTypeOrSelf(op.getRhs().getType()) != element)
    whyNot = "operands that are neither floats of one type nor bytes without zero points";
  else if (strides.lhsColumn != 1 || strides.rhsRow != 1 || strides.outputColumn != 1)
    whyNot = "rows have gaps, or the right-hand side's columns have";
  else if (!isSmall(op.getLhs()) || !isSmall(op.getRhs()) || !isSmall(op.getInits()[0]))
    whyNot = "operands of 2^31 elements and more";
  else
    return KernelAttr::get(op.getContext(), "row_products", DictionaryAttr::get(op.getContext()));
  return {};
}

ContractionCall callOfRowProducts(MatmulOp op, const Target &) {
  constexpr int64_t chunk = 16;
  auto lhs = cast<MemRefType>(op.getLhs().getType());
  int64_t depth = lhs.getDimSize(lhs.getRank() - (op.getTransposeLhs() ? 2 : 1)),
          bytes = lhs.getElementTypeBitWidth() / 8;
  bool isAligned = !ShapedType::isDynamic(depth) && depth * bytes % chunk == 0 && hasAlignedRows(op.getLhs()) &&
                   hasAlignedRows(op.getRhs());
  ContractionCall call;
  call.kind = "matmul";
  call.why = "few rows: a warp for each column: rowProducts";
  call.headers = {"templates/cuda/row_products.h", "templates/panels/tile.h"};
  call.function = "cuda::rowProducts";
  setRowsOfWarps(call, *rowsOfProduct(op), isAligned ? chunk / bytes : 1);
  call.arguments = {Arg::Lhs,       Arg::LhsRow, Arg::Weights, Arg::RhsColumn, Arg::Output,
                    Arg::OutputRow, Arg::M,      Arg::N,       Arg::K,         Arg::Epilogue};
  call.isPacked = false;
  call.hasFixedSizes = false;
  return call;
}

} // namespace

Kernel row_products_kernel() {
  return gpuKernel("row_products", 3, MatmulKernel{settleRowProducts, callOfRowProducts}, workBy<rowsWork, MatmulOp>);
}

} // namespace sinter
