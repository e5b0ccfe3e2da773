// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gemm: alpha * A' * B' + beta * C. What follows the product is elementwise, for a pass to fuse into its epilogue.
#include "ops/contraction.h"
#include "ops/quantized_contractions.h"

using namespace mlir;

namespace sinter {

namespace {
/// The sum of the terms, each times its factor. Integers that are scaled are summed as doubles and truncated once.
Value scaledSum(const Scalars &s, ArrayRef<double> factors, ValueRange terms) {
  bool isWide = !s.isFloat() && llvm::any_of(factors, [](double factor) { return factor != 1; });
  Scalars in{s.b, s.loc, isWide ? ElementType::Double : s.type};
  Value sum;
  for (auto [factor, term] : llvm::zip(factors, terms)) {
    Value x = s.castTo(in.type, term);
    x = factor == 1 ? x : in.mul(in.constant(factor), x);
    sum = sum ? in.add(sum, x) : x;
  }
  return in.castTo(s.type, sum);
}

/// `hasMore`: alpha or C follow. Sums of half floats are floats in front of them: they are rounded once, behind, and
/// overflow no earlier.
FailureOr<Tensor> gemmProduct(Op &op, bool hasMore) {
  Tensor a = op.input(0);
  bool transA = op.integer("transA"), transB = op.integer("transB");
  auto integers = integerOperands(op, 0, 1, transB ? 0 : 1);
  if (!integers)
    return matmul(op, a, op.input(1), transA, transB,
                  hasMore && isNarrowFloat(a.element) ? ElementType::Float : a.element);
  const Dequantized &left = integers->left, &right = integers->right;
  FailureOr<Tensor> sums = quantizedMatmul(op, transA ? op.transpose(left.x, {1, 0}) : left.x, left.zero,
                                           transB ? op.transpose(right.x, {1, 0}) : right.x, right.zero);
  return failed(sums) ? sums : FailureOr<Tensor>(rescaled(op, *sums, *integers, 1, a.element));
}
} // namespace

void register_gemm(Registry &registry) {
  registry.onOp(
      "Gemm", {1, 6, 7, 9, 11, 13},
      "A[M,K]|{transA}[K,M] B[K,N]|{transB}[N,K] C~[M,N] {broadcast=0}C[M,N] transA=0|1 transB=0|1 broadcast=0|1",
      [](Op &op) {
        Tensor a = op.input(0), b = op.input(1);
        if (a.rank() != 2 || b.rank() != 2)
          return op.fail(Code::ShapeMismatch, "the operands of Gemm are matrices");
        double alpha = op.real("alpha", 1), beta = op.real("beta", 1);
        bool hasC = op.has(2) && beta != 0;
        FailureOr<Tensor> sums = gemmProduct(op, alpha != 1 || hasC);
        if (failed(sums))
          return failure();
        if (!hasC) {
          if (alpha == 1)
            return op.result(*sums);
          return op.result(op.elementwise({*sums}, a.element,
                                          [&](const Scalars &s, ValueRange v) { return scaledSum(s, {alpha}, v); }));
        }
        return op.resultElementwise({*sums, op.input(2)}, a.element,
                                    [&](const Scalars &s, ValueRange v) { return scaledSum(s, {alpha, beta}, v); });
      });
}

} // namespace sinter
