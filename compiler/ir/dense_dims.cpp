// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dense_dims.h"

#include "libraries.h"

using namespace mlir;

namespace sinter {

/// Rows, columns and planes of a map may have any stride; channels, where they are innermost, go by vectors. Filters
/// are counted through.
static int64_t denseDimsOfConv(ConvOp conv, OpOperand &operand) {
  if (operand.get() == conv.getFilter())
    return cast<ShapedType>(operand.get().getType()).getRank();
  if (operand.get() == conv.getInput())
    return conv.inputLayout() != "nchw";
  return conv.isDpsInit(&operand) && conv.outputLayout() != "nchw";
}

bool takesStridedRows(KernelOp kernel) {
  return kernel.getKernel() == "attention_heads" || kernel.getKernel() == "quantize_rows" ||
         kernel.getKernel() == "widen_rows";
}

int64_t denseDims(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto conv = dyn_cast<ConvOp>(op))
    return denseDimsOfConv(conv, operand);
  if (auto matmul = dyn_cast<MatmulOp>(op)) // with gaps in rows it would store element by element
    return matmul.isDpsInit(&operand);
  if (auto pool = dyn_cast<PoolOp>(op))
    return pool.isBlocked();
  if (auto kernel = dyn_cast<KernelOp>(op)) {
    if (kernel.getHeader() || !librariesOf(op).empty()) // functions of the user's and of libraries know no strides
      return cast<ShapedType>(operand.get().getType()).getRank();
    return takesStridedRows(kernel) || kernel.getKernel() == "channel_sums";
  }
  return 0;
}

bool isDense(MemRefType type, int64_t dims) {
  if (type.getLayout().isIdentity() || llvm::is_contained(type.getShape(), 0))
    return true;
  auto [strides, offset] = getStridesAndOffset(type);
  int64_t expected = 1;
  for (int64_t d = type.getRank() - 1; d >= type.getRank() - dims && d >= 0; --d) {
    int64_t size = type.getDimSize(d);
    if (size == 1)
      continue;
    if (ShapedType::isDynamic(expected) || strides[d] != expected)
      return false;
    expected = ShapedType::isDynamic(size) ? ShapedType::kDynamic : expected * size;
  }
  return true;
}

} // namespace sinter
