// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AffineGrid: theta times the homogeneous position of each output element, in two or three dims.
#include "ops/norms.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerAffineGrid(Op &op) {
  Tensor theta = op.input(0);
  FailureOr<Sizes> size = op.elements(1, "size");
  if (failed(size))
    return failure();
  int64_t rank = size->size() - 2;
  if (theta.rank() != 3 || (rank != 2 && rank != 3))
    return op.fail(Code::ShapeMismatch, "theta must be [n, 2, 3] or [n, 3, 4] and 'size' have 4 or 5 entries");
  Sizes sizes{op.size(theta, 0)};
  sizes.append(size->begin() + 2, size->end());
  sizes.push_back(sizeOf(op.b, rank));
  FailureOr<Sizes> bounded = boundedSizes(op, sizes);
  if (failed(bounded))
    return failure();
  bool alignCorners = op.integer("align_corners", 0) != 0;
  return op.result(op.generate(*bounded, theta.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, op.loc, computedAs(theta.element)};
    auto coefficient = [&](int64_t column) {
      Value place[] = {at[0], at[rank + 1], nb.create<arith::ConstantIndexOp>(op.loc, column)};
      return widen(nb, op.loc, theta.element, nb.create<tensor::ExtractOp>(op.loc, theta.value, place));
    };
    Value one = s.constant(1), two = s.constant(2), sum = coefficient(rank);
    for (int64_t column = 0; column < rank; ++column) { // x is the last dim
      Value i = indexAsFloat(s, at[rank - column]),
            length = indexAsFloat(s, toValue(nb, op.loc, (*bounded)[rank - column]));
      Value position = alignCorners ? s.sub(s.div(s.mul(i, two), s.sub(length, one)), one)
                                    : s.sub(s.div(s.add(s.mul(i, two), one), length), one);
      if (alignCorners) // a dim of one element lies at its start
        position = s.select(s.compare(Compare::Equal, length, one), s.constant(-1), position);
      sum = s.add(sum, s.mul(coefficient(column), position));
    }
    return narrow(nb, op.loc, theta.element, sum);
  }));
}
} // namespace

void register_affine_grid(Registry &registry) {
  registry.onOp("AffineGrid", {20}, "theta[N,D,D+1] size[D+2] D=2|3 at(value(size),0)=N", lowerAffineGrid);
}

} // namespace sinter
