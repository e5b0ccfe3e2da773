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
/// kernels unpack as many at a time on the stack.
static int64_t storedTogether(int64_t block, int64_t group) {
  constexpr int64_t most = 256;
  int64_t parts = llvm::divideCeil(block, most);
  while (block % parts || block / parts % group)
    ++parts;
  return block / parts;
}

bool packBlocks(MatmulOp matmul, int64_t columns, EvaluationCache &cache) {
  std::optional<BlockWeightsOp> weights = blockWeightsOf(matmul.getRhs());
  if (!weights || weights->isTransposed == matmul.getTransposeRhs())
    return false; // [n, k] is what its rows are
  Type element = getElementTypeOrSelf(matmul.getLhs().getType());
  int64_t bits = weights->number("bits"), block = weights->number("block");
  if (block * bits % 32 || element.isF64())
    return false;
  int64_t stored = storedTogether(block, 32 / bits);
  ElementType scale = elementTypeOf(getElementTypeOrSelf(weights->scales().getType()));
  bool areFloats = scale == ElementType::Float; // many quantizers round scales to what their formats hold
  if (areFloats && areHalfs(weights->scales(), cache) && (!weights->zeros() || areHalfs(weights->zeros(), cache)))
    scale = ElementType::Float16;
  int64_t scaleBytes = scale == ElementType::Float ? 4 : 2;
  ArrayRef<int64_t> shape = cast<ShapedType>(weights->op.getResult(0).getType()).getShape(); // [n, k]
  int64_t bytes = columns * (stored * bits / 8 + scaleBytes * (weights->zeros() ? 2 : 1));

  OpBuilder b(matmul);
  Tensors tensors{b, matmul.getLoc()};
  Tensor empty = tensors.empty(sizesOf(b, {static_cast<int64_t>(llvm::divideCeil(shape[0], columns)),
                                           static_cast<int64_t>(llvm::divideCeil(shape[1], stored)), bytes}),
                               ElementType::UInt8);
  auto number = [&](StringRef name, int64_t value) { return b.getNamedAttr(name, b.getI64IntegerAttr(value)); };
  auto op =
      b.create<KernelOp>(matmul.getLoc(), empty.type(), "pack_blocks", weights->op.getInputs(), empty.value,
                         b.getDictionaryAttr({number("bits", bits), number("block", block), number("columns", columns),
                                              number("stored", stored), number("depth", shape[1]),
                                              b.getNamedAttr("packed", weights->op.getParams().get("packed")),
                                              b.getNamedAttr("halves", b.getBoolAttr(areFloats && scaleBytes == 2))}),
                         weights->op.getSignedness());
  SmallVector<NamedAttribute> params{
      number("bits", bits), number("block", stored), number("columns", columns),
      b.getNamedAttr("scale", b.getStringAttr(scale == ElementType::Float     ? "float"
                                              : scale == ElementType::Float16 ? "f16"
                                                                              : "bf16"))};
  if (weights->zeros())
    params.push_back(b.getNamedAttr("zeros", b.getUnitAttr()));
  if (weights->lhsBytes())
    params.push_back(b.getNamedAttr("lhs_bytes", b.getUnitAttr()));
  matmul.getRhsMutable().assign(op.getResult(0));
  matmul.setTransposeRhs(false);
  matmul.setSigns("su");
  matmul.setKernelAttr(KernelAttr::get(b.getContext(), "block_gemm", b.getDictionaryAttr(params)));
  return true;
}

} // namespace sinter
