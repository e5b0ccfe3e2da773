// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction.h"

using namespace mlir;

namespace sinter {

namespace {
using utils::IteratorType;

Tensor tiledProduct(Op &op, Tensor lhs, Tensor rhs, bool transposeLhs, bool transposeRhs, ArrayRef<Size> sizes,
                    ElementType result, ZeroPoints zeros) {
  Tensor init = op.empty(sizes, result);
  auto product = op.b.create<MatmulOp>(op.loc, TypeRange(init.type()), lhs.value, rhs.value, ValueRange(),
                                       ValueRange(init.value), transposeLhs, transposeRhs, op.b.getArrayAttr({}),
                                       signsOf(lhs, rhs), zeros.left, zeros.right, KernelAttr(), CandidatesAttr());
  OpBuilder::InsertionGuard guard(op.b);
  Block *block = op.b.createBlock(&product.getEpilogue(), {}, computeType(result, op.b.getContext()), op.loc);
  op.b.create<YieldOp>(op.loc, narrow(op.b, op.loc, result, block->getArgument(0)));
  return {product.getResult(0), result};
}

/// Loops: batch..., m, n, k.
Tensor integerProduct(Op &op, Tensor lhs, Tensor rhs, bool transposeLhs, bool transposeRhs, ArrayRef<Size> sizes) {
  int64_t rank = sizes.size(), loops = rank + 1;
  AffineExpr m = op.b.getAffineDimExpr(rank - 2), n = op.b.getAffineDimExpr(rank - 1), k = op.b.getAffineDimExpr(rank);
  auto mapOf = [&](Tensor x, AffineExpr row, AffineExpr column) {
    SmallVector<AffineExpr> exprs;
    for (int64_t d = 0; d < x.rank() - 2; ++d) {
      int64_t loop = rank - x.rank() + d;
      bool broadcast = constantOf(op.size(x, d)) == 1 && constantOf(sizes[loop]) != 1;
      exprs.push_back(broadcast ? op.b.getAffineConstantExpr(0) : op.b.getAffineDimExpr(loop));
    }
    exprs.append({row, column});
    return AffineMap::get(loops, 0, exprs, op.b.getContext());
  };
  SmallVector<AffineExpr> outer;
  for (int64_t d = 0; d < rank; ++d)
    outer.push_back(op.b.getAffineDimExpr(d));
  AffineMap maps[] = {transposeLhs ? mapOf(lhs, k, m) : mapOf(lhs, m, k),
                      transposeRhs ? mapOf(rhs, n, k) : mapOf(rhs, k, n),
                      AffineMap::get(loops, 0, outer, op.b.getContext())};
  SmallVector<IteratorType> iterators(loops, IteratorType::parallel);
  iterators.back() = IteratorType::reduction;
  Tensor init = op.filled(sizes, lhs.element, Scalars{op.b, op.loc, lhs.element}.constant(0));
  auto generic = op.b.create<linalg::GenericOp>(op.loc, init.type(), ValueRange{lhs.value, rhs.value}, init.value, maps,
                                                iterators, [&](OpBuilder &b, Location loc, ValueRange v) {
                                                  Scalars s{b, loc, lhs.element};
                                                  b.create<linalg::YieldOp>(loc, s.add(v[2], s.mul(v[0], v[1])));
                                                });
  return {generic.getResult(0), lhs.element};
}

/// x with the batch dims written out that only a call knows to be 1 or not: products broadcast what is 1 by its type.
Tensor repeatedBatch(Op &op, Tensor x, ArrayRef<Size> batch) {
  Sizes sizes = op.sizes(x);
  int64_t own = x.rank() - 2, first = static_cast<int64_t>(batch.size()) - own;
  bool isUnsure = false;
  for (int64_t d = 0; d < own; ++d)
    if (!constantOf(sizes[d]) && !sameSize(sizes[d], batch[first + d])) {
      sizes[d] = batch[first + d];
      isUnsure = true;
    }
  return isUnsure ? op.broadcastTo(x, sizes) : x;
}

Tensor batchOf(Op &op, Tensor x) {
  // Only sizes matter: an empty tensor of the batch dims takes part in broadcasting like the operand itself.
  Sizes sizes = op.sizes(x);
  sizes.resize(sizes.size() - 2);
  return op.empty(sizes, x.element);
}
} // namespace

StringRef signsOf(Tensor left, Tensor right) {
  bool isLeft = isUnsignedInteger(left.element), isRight = isUnsignedInteger(right.element);
  return isLeft ? (isRight ? "uu" : "us") : isRight ? "su" : "ss";
}

FailureOr<Tensor> matmul(Op &op, Tensor lhs, Tensor rhs, bool transposeLhs, bool transposeRhs, ElementType result,
                         ZeroPoints zeros) {
  if (result == ElementType::Undefined)
    result = lhs.element;
  Sizes left = op.sizes(lhs), right = op.sizes(rhs);
  auto fromEnd = [](Sizes &sizes, int64_t i) { return sizes[sizes.size() - i]; };
  Size k = fromEnd(left, transposeLhs ? 2 : 1), otherK = fromEnd(right, transposeRhs ? 1 : 2);
  if (constantOf(k) && constantOf(otherK) && !sameSize(k, otherK))
    return op.fail(Code::ShapeMismatch, "the inner sizes of the product, " + Twine(*constantOf(k)) + " and " +
                                            Twine(*constantOf(otherK)) + ", differ");
  SmallVector<Tensor> batches{batchOf(op, lhs), batchOf(op, rhs)};
  if (failed(op.checkBroadcast(batches)))
    return failure();
  Sizes sizes = *op.broadcastSizes(batches);
  lhs = repeatedBatch(op, lhs, sizes);
  rhs = repeatedBatch(op, rhs, sizes);
  sizes.append({fromEnd(left, transposeLhs ? 1 : 2), fromEnd(right, transposeRhs ? 2 : 1)});
  // 32-bit sums have tiles of their own; they wrap, so that signs do not matter.
  bool tiled =
      isFloat(lhs.element) || result == ElementType::Int32 || result == ElementType::UInt32 || result != lhs.element;
  return tiled ? tiledProduct(op, lhs, rhs, transposeLhs, transposeRhs, sizes, result, zeros)
               : integerProduct(op, lhs, rhs, transposeLhs, transposeRhs, sizes);
}

FailureOr<Tensor> numpyMatmul(Op &op, Tensor lhs, Tensor rhs) {
  if (!lhs.rank() || !rhs.rank())
    return op.fail(Code::ShapeMismatch, "a matrix product of a scalar");
  bool row = lhs.rank() == 1, column = rhs.rank() == 1;
  FailureOr<Tensor> y = matmul(op, row ? op.unsqueeze(lhs, 0) : lhs, column ? op.unsqueeze(rhs, 1) : rhs);
  if (failed(y))
    return failure();
  SmallVector<int64_t> vanishing;
  if (row)
    vanishing.push_back(y->rank() - 2);
  if (column)
    vanishing.push_back(y->rank() - 1);
  return vanishing.empty() ? *y : op.squeeze(*y, vanishing);
}

} // namespace sinter
