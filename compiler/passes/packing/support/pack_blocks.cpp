// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pack_blocks.h"

#include "builders/tensors.h"
#include "passes/support/block_weights.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace sinter {

/// Whether halfs hold all of a constant exactly.
static bool areHalfs(Value value, EvaluationCache &cache) {
  std::optional<HostTensor> tensor = evaluate(value, cache);
  if (!tensor)
    return false;
  for (int64_t i = 0; i < tensor->size(); ++i) {
    llvm::APFloat x(static_cast<float>(tensor->numberAt(i)));
    bool loses = false;
    x.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &loses);
    if (loses)
      return false;
  }
  return true;
}

/// How many numbers are stored together with a scale: a block, or equal parts of a long one, each with its scale, since
/// kernels unpack as many at a time on the stack. Nothing where these are no whole groups.
static std::optional<int64_t> storedTogether(int64_t block, int64_t group) {
  constexpr int64_t most = 256;
  if (block % group)
    return std::nullopt;
  int64_t parts = llvm::divideCeil(block, most);
  while (block % parts || block / parts % group)
    ++parts;
  return block / parts;
}

/// A block that is a whole row may be longer than it, so that its parts are whole vectors.
static int64_t filledUp(int64_t row) {
  constexpr int64_t most = 256, whole = 16;
  int64_t parts = llvm::divideCeil(row, most);
  return parts * static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(row, parts), whole));
}

bool packBlocks(MatmulOp matmul, int64_t columns, EvaluationCache &cache) {
  if (getElementTypeOrSelf(matmul.getLhs().getType()).isF64())
    return false;
  OpBuilder b(matmul);
  std::optional<BlockWeights> weights = blockWeightsOf(b, matmul.getRhs(), matmul.getTransposeRhs(), cache);
  if (!weights)
    return false;
  if (weights->block >= weights->columns)
    weights->block = filledUp(weights->columns);
  int64_t bits = weights->bits;
  std::optional<int64_t> stored = storedTogether(weights->block, 32 / bits);
  if (!stored)
    return false;
  ElementType scale = elementTypeOf(getElementTypeOrSelf(weights->scales.getType()));
  bool areFloats = scale == ElementType::Float; // many quantizers round scales to what their formats hold
  if (areFloats && areHalfs(weights->scales, cache) && (!weights->zeros || areHalfs(weights->zeros, cache)))
    scale = ElementType::Float16;
  int64_t scaleBytes = scale == ElementType::Float ? 4 : 2;
  bool hasZeros = static_cast<bool>(weights->zeros);
  int64_t bytes = columns * (*stored * bits / 8 + scaleBytes * (hasZeros ? 2 : 1));

  Tensors tensors{b, matmul.getLoc()};
  Tensor empty = tensors.empty(sizesOf(b, {static_cast<int64_t>(llvm::divideCeil(weights->rows, columns)),
                                           static_cast<int64_t>(llvm::divideCeil(weights->columns, *stored)), bytes}),
                               ElementType::UInt8);
  SmallVector<Value> operands{weights->numbers, weights->scales};
  if (hasZeros)
    operands.push_back(weights->zeros);
  if (weights->order)
    operands.push_back(weights->order);
  std::string signs(operands.size() + 1, 's');
  signs.front() = weights->isSigned ? 's' : 'u';
  signs.back() = 'u';
  auto number = [&](StringRef name, int64_t value) { return b.getNamedAttr(name, b.getI64IntegerAttr(value)); };
  auto flag = [&](StringRef name, bool value) { return b.getNamedAttr(name, b.getBoolAttr(value)); };
  auto op = b.create<KernelOp>(
      matmul.getLoc(), empty.type(), "pack_blocks", operands, empty.value,
      b.getDictionaryAttr({number("bits", bits), number("block", weights->block), number("columns", columns),
                           number("stored", *stored), number("depth", weights->columns), number("low", weights->low),
                           flag("packed", weights->isPacked), flag("zeros", hasZeros),
                           flag("ordered", static_cast<bool>(weights->order)),
                           flag("halves", areFloats && scaleBytes == 2)}),
      signs);
  SmallVector<NamedAttribute> params{
      number("bits", bits), number("block", *stored), number("columns", columns),
      b.getNamedAttr("scale", b.getStringAttr(scale == ElementType::Float     ? "float"
                                              : scale == ElementType::Float16 ? "f16"
                                                                              : "bf16"))};
  if (hasZeros)
    params.push_back(b.getNamedAttr("zeros", b.getUnitAttr()));
  if (weights->lhsBytes)
    params.push_back(b.getNamedAttr("lhs_bytes", b.getUnitAttr()));
  matmul.getRhsMutable().assign(op.getResult(0));
  matmul.setTransposeRhs(false);
  matmul.setSigns("su");
  matmul.setKernelAttr(KernelAttr::get(b.getContext(), "block_gemm", b.getDictionaryAttr(params)));
  return true;
}

} // namespace sinter
