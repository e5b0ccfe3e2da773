// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matmul_strides.h"

#include "kernels/kernel.h"

#include <numeric>

using namespace mlir;

namespace sinter {

/// Of the last two dims, first that of rows. A single row or column has no gap to a next one.
static std::pair<int64_t, int64_t> lastStrides(Value buffer, bool isTransposed) {
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = getStridesAndOffset(type);
  (void)offset;
  for (auto [stride, size] : llvm::zip(strides, type.getShape()))
    if (size == 1)
      stride = 1;
  std::pair<int64_t, int64_t> last(strides.rbegin()[1], strides.back());
  return isTransposed ? std::pair(last.second, last.first) : last;
}

MatmulStrides stridesOf(MatmulOp op) {
  MatmulStrides strides;
  strides.lhsColumn = lastStrides(op.getLhs(), op.getTransposeLhs()).second;
  strides.outputColumn = lastStrides(op.getInits()[0], false).second;
  if (!op.getKernelAttr())
    std::tie(strides.rhsRow, strides.rhsColumn) = lastStrides(op.getRhs(), op.getTransposeRhs());
  return strides;
}

bool rowsMeetInCache(MatmulOp op) {
  constexpr int64_t fewestPlaces = 2, ways = 12;
  auto shape = cast<MemRefType>(op.getRhs().getType()).getShape();
  MatmulStrides strides = stridesOf(op);
  if (op.getKernelAttr() || strides.rhsColumn != 1 || ShapedType::isDynamic(strides.rhsRow))
    return false;
  int64_t depth = shape[shape.size() - (op.getTransposeRhs() ? 1 : 2)];
  int64_t bytes =
      strides.rhsRow * llvm::divideCeil(getElementTypeOrSelf(op.getRhs().getType()).getIntOrFloatBitWidth(), 8);
  int64_t places = cacheWayBytes / std::gcd(cacheWayBytes, bytes);
  return depth > 1 && !ShapedType::isDynamic(depth) && places <= fewestPlaces && depth > ways * places;
}

int64_t rowsThatCacheHolds(MatmulOp op, int64_t rows, int64_t together) {
  constexpr int64_t most = 7;
  const auto [row, column] = lastStrides(op.getLhs(), op.getTransposeLhs());
  if (ShapedType::isDynamic(row) || column != 1 || rows <= most)
    return rows;
  int64_t bytes = row * llvm::divideCeil(getElementTypeOrSelf(op.getLhs().getType()).getIntOrFloatBitWidth(), 8);
  return bytes % cacheWayBytes == 0 ? most / together * together : rows;
}

bool takesLhsElements(MatmulOp op, const Target &target) {
  if (KernelAttr packed = op.getKernelAttr())
    return packed.getName() == "gemm";
  return !target.isGpu() && stridesOf(op).rhsColumn == 1;
}

bool takesTiles(MatmulOp op, StringRef &whyNot) {
  bool isInteger = op.accumulatorType().isInteger(32) && !op.getLhsZero() && !op.getRhsZero();
  if (!isa<FloatType>(getElementTypeOrSelf(op.getLhs().getType())) && !isInteger)
    whyNot = "zero points, or sums wider than 32 bits";
  else if (stridesOf(op).outputColumn != 1)
    whyNot = "rows of the output have gaps";
  else
    return true;
  return false;
}

KernelAttr asPackedForRows(MatmulOp op, StringRef name, StringRef &whyNot) {
  KernelAttr kernel = asPacked(op, name, whyNot);
  MatmulStrides strides = stridesOf(op);
  if (!kernel || (strides.lhsColumn == 1 && strides.outputColumn == 1))
    return kernel;
  whyNot = "rows have gaps";
  return {};
}

} // namespace sinter
