// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LRN: x over a power of the mean of squares in a window of channels around it.
#include "ops/moments.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace sinter {

void register_lrn(Registry &registry) {
  registry.onOp("LRN", {1, 13}, "X[N,C,_*] size>=1", [](Op &op) {
    Tensor x = op.input(0);
    int64_t rank = x.rank(), window = op.integer("size");
    if (rank < 2 || window < 1)
      return op.fail(Code::ShapeMismatch, "LRN needs channels and a 'size' of 1 or more");
    ElementType type = statisticsType(x.element);
    Tensor squares =
        op.elementwise({x}, type, [&](const Scalars &s, ValueRange v) { return s.castTo(type, s.mul(v[0], v[0])); });
    Scalars outside{op.b, op.loc, type};
    SmallVector<Size> low(rank, sizeOf(op.b, 0)), high = low;
    // Beyond the channels there is nothing to sum, however long the window is.
    low[1] = minimum(op.b, op.loc, sizeOf(op.b, (window - 1) / 2), op.size(x, 1));
    high[1] = minimum(op.b, op.loc, sizeOf(op.b, window / 2), op.size(x, 1));
    Size length = add(op.b, op.loc, add(op.b, op.loc, low[1], high[1]), sizeOf(op.b, 1));
    Tensor padded = op.pad(squares, low, high, outside.constant(0));

    // sum[n, c, ...] = padded[n, c + k, ...] over k; an empty tensor gives k's range.
    Tensor init = op.filled(op.sizes(x), type, outside.constant(0)), range = op.empty(length, type);
    SmallVector<AffineExpr> at;
    for (int64_t d = 0; d < rank; ++d)
      at.push_back(op.b.getAffineDimExpr(d));
    AffineMap result = AffineMap::get(rank + 1, 0, at, op.b.getContext());
    AffineExpr k = op.b.getAffineDimExpr(rank);
    at[1] = at[1] + k;
    AffineMap maps[] = {AffineMap::get(rank + 1, 0, at, op.b.getContext()), AffineMap::get(rank + 1, 0, k), result};
    SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
    iterators.back() = utils::IteratorType::reduction;
    auto sum = op.b.create<linalg::GenericOp>(op.loc, init.type(), ValueRange{padded.value, range.value}, init.value,
                                              maps, iterators, [&](OpBuilder &b, Location loc, ValueRange v) {
                                                b.create<linalg::YieldOp>(loc, Scalars{b, loc, type}.add(v[2], v[0]));
                                              });

    double alpha = op.real("alpha"), beta = op.real("beta"), bias = op.real("bias");
    return op.result(
        op.elementwise({x, Tensor{sum.getResult(0), type}}, x.element, [&](const Scalars &s, ValueRange v) {
          Scalars wide{s.b, s.loc, type};
          Value base = wide.add(wide.constant(bias), wide.mul(wide.constant(alpha / window), v[1]));
          Value power = s.b.create<math::PowFOp>(s.loc, base, wide.constant(beta));
          return wide.castTo(x.element, wide.div(s.castTo(type, v[0]), power));
        }));
  });
}

} // namespace sinter
