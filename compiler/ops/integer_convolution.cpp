// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integer_convolution.h"

using namespace mlir;

namespace sinter {

namespace {
/// Dim `d` split into groups: [..., group, size / group, ...].
Tensor grouped(Op &op, Tensor x, int64_t d, int64_t group) {
  Sizes sizes = op.sizes(x);
  sizes[d] = floorDiv(op.b, op.loc, sizes[d], group);
  sizes.insert(sizes.begin() + d, sizeOf(op.b, group));
  return op.reshape(x, sizes);
}
} // namespace

Tensor convolveIntegers(Op &op, Tensor x, Tensor w, const Window &window, int64_t group) {
  OpBuilder &b = op.b;
  Scalars zero{b, op.loc, ElementType::Int32};
  Tensor input = grouped(op, padSpatial(op, x, window.low, window.high, zero.constant(0)), 1, group),
         filter = grouped(op, w, 0, group);

  // Loops: n, g, k, outputs..., c, taps...
  int64_t spatial = window.rank(), loops = 4 + 2 * spatial;
  auto loop = [&](int64_t i) { return b.getAffineDimExpr(i); };
  AffineExpr n = loop(0), g = loop(1), k = loop(2), c = loop(3 + spatial);
  SmallVector<AffineExpr> inputAt{n, g, c}, filterAt{g, k, c}, outputAt{n, g, k};
  Sizes sizes{op.size(x, 0), sizeOf(b, group), op.size(filter, 1)};
  for (int64_t i = 0; i < spatial; ++i) {
    AffineExpr out = loop(3 + i), tap = loop(4 + spatial + i);
    inputAt.push_back(out * window.strides[i] + tap * window.dilations[i]);
    filterAt.push_back(tap);
    outputAt.push_back(out);
    sizes.push_back(window.outputs[i]);
  }
  AffineMap maps[] = {AffineMap::get(loops, 0, inputAt, b.getContext()),
                      AffineMap::get(loops, 0, filterAt, b.getContext()),
                      AffineMap::get(loops, 0, outputAt, b.getContext())};
  SmallVector<utils::IteratorType> iterators(3 + spatial, utils::IteratorType::parallel);
  iterators.append(1 + spatial, utils::IteratorType::reduction);
  Tensor init = op.filled(sizes, ElementType::Int32, zero.constant(0));
  auto generic = b.create<linalg::GenericOp>(op.loc, init.type(), ValueRange{input.value, filter.value}, init.value,
                                             maps, iterators, [](OpBuilder &nb, Location loc, ValueRange v) {
                                               Scalars s{nb, loc, ElementType::Int32};
                                               nb.create<linalg::YieldOp>(loc, s.add(v[2], s.mul(v[0], v[1])));
                                             });
  Sizes result{sizes[0], op.size(w, 0)};
  result.append(sizes.begin() + 3, sizes.end());
  return op.reshape({generic.getResult(0), ElementType::Int32}, result);
}

} // namespace sinter
