// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant right-hand sides of matrix products and filters of convolutions get the order that their kernels read, at compile time:
//   matmul   [k, n]            -> [ceil(n / NR), k, NR], zeros behind n                      packed = "panels"
//   conv     [k, c, taps...]   -> [ceil(k / NR), c / block, taps..., block, NR]              packed = "panels"
//   depthwise [k, 1, taps...]  -> [k / block, taps..., block]                                packed = "taps"
// NR is the target's tile width, the module attribute `sinter.tile_columns`.
#include "passes.h"

#include "interpreter/interpreter.h"
#include "ops/tensors.h"

using namespace mlir;

namespace sinter {
namespace {

struct Packer {
  OpBuilder &b;
  Location loc;
  int64_t columns;

  Tensors tensors() const { return {b, loc}; }
  ElementType elementOf(Value value) const { return elementTypeOf(cast<ShapedType>(value.getType()).getElementType()); }

  /// The last dim filled up with zeros to a multiple of the panel's width.
  Tensor filledUp(Tensor x) const {
    int64_t n = x.shape().back(), wanted = llvm::divideCeil(n, columns) * columns;
    SmallVector<Size> low(x.rank(), b.getIndexAttr(0)), high = low;
    high.back() = b.getIndexAttr(wanted - n);
    Value zero = b.create<arith::ConstantOp>(loc, b.getZeroAttr(x.type().getElementType()));
    return tensors().pad(x, low, high, zero);
  }
  Tensor reshaped(Tensor x, ArrayRef<int64_t> shape) const { return tensors().reshape(x, sizesOf(b, shape)); }

  /// [k, n] (already in that order) -> panels.
  Value panels(Tensor kn) const {
    Tensor filled = filledUp(kn);
    int64_t k = filled.shape()[0], n = filled.shape()[1];
    return tensors().transpose(reshaped(filled, {k, n / columns, columns}), {1, 0, 2}).value;
  }
};

bool isConstantTensor(Value value, EvaluationCache &cache) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && isConstant(value, cache);
}

void packMatmul(MatmulOp matmul, int64_t columns) {
  OpBuilder b(matmul);
  Packer packer{b, matmul.getLoc(), columns};
  Tensor rhs{matmul.getRhs(), packer.elementOf(matmul.getRhs())};
  if (matmul.getTransposeRhs())
    rhs = packer.tensors().transpose(rhs, {1, 0});
  matmul.getRhsMutable().assign(packer.panels(rhs));
  matmul.setTransposeRhs(false);
  matmul.setPacked("panels");
}

void packConvolution(ConvOp conv, int64_t columns) {
  OpBuilder b(conv);
  Packer packer{b, conv.getLoc(), columns};
  Tensors tensors = packer.tensors();
  Tensor filter{conv.getFilter(), packer.elementOf(conv.getFilter())};
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  SmallVector<int64_t> shape(filter.shape());
  int64_t spatial = filter.rank() - 2;
  SmallVector<int64_t> taps(shape.begin() + 2, shape.end());
  if (conv.getGroup() != 1) { // depthwise: [k, 1, taps] -> [k/block, taps, block]
    int64_t block = input.getShape().back();
    SmallVector<int64_t> split = {shape[0] / block, block};
    split.append(taps);
    SmallVector<int64_t> order = {0};
    for (int64_t d = 0; d < spatial; ++d)
      order.push_back(2 + d);
    order.push_back(1);
    conv.getFilterMutable().assign(tensors.transpose(packer.reshaped(filter, split), order).value);
    conv.setPacked("taps");
    return;
  }
  int64_t block = conv.getLayout() == "nchwc" ? input.getShape().back() : shape[1];
  // [k, c, taps] -> [c, taps, k] filled up -> [c/block, block, taps, k/NR, NR] -> [k/NR, c/block, taps, block, NR]
  SmallVector<int64_t> kLast = llvm::to_vector(llvm::seq<int64_t>(1, filter.rank()));
  kLast.push_back(0);
  Tensor x = packer.filledUp(tensors.transpose(filter, kLast));
  SmallVector<int64_t> split = {shape[1] / block, block};
  split.append(taps);
  split.append({x.shape().back() / columns, columns});
  SmallVector<int64_t> order = {2 + spatial, 0};
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(2 + d);
  order.append({1, 3 + spatial});
  conv.getFilterMutable().assign(tensors.transpose(packer.reshaped(x, split), order).value);
  conv.setPacked("panels");
}

} // namespace

LogicalResult packWeights(ModuleOp module) {
  auto attribute = module->getAttrOfType<IntegerAttr>("sinter.tile_columns");
  int64_t columns = attribute ? attribute.getInt() : 32;
  EvaluationCache cache;
  SmallVector<Operation *> products;
  module.walk([&](Operation *op) {
    if (isa<MatmulOp, ConvOp>(op))
      products.push_back(op);
  });
  for (Operation *op : products) {
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      auto type = dyn_cast<RankedTensorType>(matmul.getRhs().getType());
      if (type && type.getRank() == 2 && matmul.getPacked().empty() && isa<FloatType>(type.getElementType()) && isConstantTensor(matmul.getRhs(), cache))
        packMatmul(matmul, columns);
    } else if (auto conv = dyn_cast<ConvOp>(op)) {
      if (conv.getLayout() != "nchw" && conv.getPacked().empty() && isConstantTensor(conv.getFilter(), cache))
        packConvolution(conv, columns);
    }
  }
  return success();
}

} // namespace sinter
