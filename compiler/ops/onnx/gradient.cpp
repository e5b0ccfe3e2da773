// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What graph/gradient_*.cpp writes that no operator of ONNX says, of domain "sinter": SumLike, the sum of x over the
// dims along which `like` was broadcast to x's shape; MatMulLeft and MatMulRight, the adjoints of MatMul's operands, of
// the shapes that these have.
#include "ops/contraction.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

Tensor summed(const Op &op, Tensor x, ArrayRef<int64_t> axes, bool keep) {
  if (axes.empty())
    return x;
  ElementType accumulator = isNarrowFloat(x.element) ? ElementType::Float : x.element;
  return op.reduce(
      x, axes, keep, accumulator, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
}

/// A dim that only a call knows to be 1 or x's is x's size in parts of its own size, which are added.
Tensor sumLike(const Op &op, Tensor x, Tensor like) {
  int64_t more = x.rank() - like.rank();
  x = summed(op, x, llvm::to_vector(llvm::seq<int64_t>(0, more)), false);
  Sizes from = op.sizes(x), to = op.sizes(like), parts;
  SmallVector<int64_t> axes;
  for (auto [own, wanted] : llvm::zip(from, to)) {
    if (sameSize(own, wanted)) {
      parts.push_back(own);
      continue;
    }
    axes.push_back(static_cast<int64_t>(parts.size()));
    Size atLeastOne = maximum(op.b, op.loc, wanted, sizeOf(op.b, 1));
    parts.push_back(constantOf(wanted) == 1 ? own : within(op, divide(op.b, op.loc, own, atLeastOne), own));
    parts.push_back(wanted);
  }
  return axes.empty() ? x : summed(op, op.reshape(x, parts), axes, false);
}

/// dy as the product of matrices that vectors stand for: with the dims that MatMul drops.
Tensor withDropped(const Op &op, Tensor dy, Tensor left, Tensor right) {
  if (right.rank() == 1)
    dy = op.unsqueeze(dy, dy.rank());
  return left.rank() == 1 ? op.unsqueeze(dy, dy.rank() - 1) : dy;
}

LogicalResult left(Op &op) {
  Tensor dy = op.input(0), right = op.input(1), like = op.input(2);
  FailureOr<Tensor> product =
      matmul(op, withDropped(op, dy, like, right), right.rank() == 1 ? op.unsqueeze(right, 1) : right, false, true);
  if (failed(product))
    return failure();
  return op.result(sumLike(op, like.rank() == 1 ? op.squeeze(*product, product->rank() - 2) : *product, like));
}

LogicalResult right(Op &op) {
  Tensor left = op.input(0), dy = op.input(1), like = op.input(2);
  FailureOr<Tensor> product =
      matmul(op, left.rank() == 1 ? op.unsqueeze(left, 0) : left, withDropped(op, dy, left, like), true, false);
  if (failed(product))
    return failure();
  return op.result(sumLike(op, like.rank() == 1 ? op.squeeze(*product, product->rank() - 1) : *product, like));
}
} // namespace

void register_gradient(Registry &registry) {
  registry.onOp("SumLike", {1}, "", [](Op &op) { return op.result(sumLike(op, op.input(0), op.input(1))); }, "sinter");
  registry.onOp("MatMulLeft", {1}, "", left, "sinter");
  registry.onOp("MatMulRight", {1}, "", right, "sinter");
}

} // namespace sinter
