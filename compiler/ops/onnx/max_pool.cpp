// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MaxPool: a pool, or a kernel with a second output for the places of the maxima. GlobalMaxPool, and a window that
// covers all: a reduction. com.microsoft's MaxpoolWithMask: of what a mask leaves.
#include "ops/norms.h"
#include "ops/spatial.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerGlobalMax(Op &op) {
  Tensor x = op.input(0);
  Tensor largest = op.reduce(
      x, spatialAxes(x), true, computedAs(x.element), [](const Scalars &s) { return s.lowest(); },
      [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
  return op.result(op.cast(largest, x.element));
}

LogicalResult lowerMaxPool(Op &op) {
  Tensor x = op.input(0);
  if (x.rank() < 3 || x.rank() > 5)
    return op.unsupported("a pool over a tensor of rank " + Twine(x.rank()), "one to three spatial dims are supported");
  FailureOr<Window> window =
      windowOf(op, ArrayRef(op.sizes(x)).drop_front(2), sizesOf(op.b, op.integers("kernel_shape")));
  if (failed(window))
    return failure();
  if (op.wants(1)) { // pads are an operand, since places are those of the map without them
    Sizes sizes{op.size(x, 0), op.size(x, 1)};
    llvm::append_range(sizes, window->outputs);
    NamedAttribute params[] = {op.param("kernel", window->constantKernel()), op.param("strides", window->strides),
                               op.param("dilations", window->dilations),
                               op.param("column_major", op.integer("storage_order", 0) != 0)};
    return op.results(op.kernel("max_pool_indices", {x, op.fromSizes(window->low)},
                                {{sizes, x.element}, {sizes, ElementType::Int64}}, params));
  }
  if (coversAll(op, x, *window))
    return lowerGlobalMax(op);
  if (!window->constantLow()) {
    x = padSpatial(op, x, window->low, window->high,
                   narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.lowest()));
    window->low = window->high = sizesOf(op.b, SmallVector<int64_t>(window->rank(), 0));
  }
  return op.result(pool(op, x, *window, PoolKind::Max));
}

LogicalResult lowerMasked(Op &op) {
  Tensor x = op.input(0), mask = op.input(1);
  FailureOr<Window> window =
      windowOf(op, ArrayRef(op.sizes(x)).drop_front(2), sizesOf(op.b, op.integers("kernel_shape")));
  if (failed(window))
    return failure();
  Sizes sizes{op.size(x, 0), op.size(x, 1)}, shape = op.sizes(mask);
  llvm::append_range(sizes, window->outputs);
  Size rows = mul(op.b, op.loc, shape[0], shape[1]), image = product(op.b, op.loc, ArrayRef(shape).drop_front(2));
  NamedAttribute params[] = {op.param("kernel", window->constantKernel()), op.param("strides", window->strides),
                             op.param("dilations", window->dilations)};
  return op.results(op.kernel("max_pool_masked", {x, op.reshape(mask, {rows, image}), op.fromSizes(window->low)},
                              {{sizes, x.element}}, params));
}
} // namespace

void register_max_pool(Registry &registry) {
  registry.onOp("MaxPool", {1, 8, 10, 11, 12, 22},
                "X[N,C,D+] kernel_shape[#D] kernel_shape>=1 strides[#D] strides>=1 dilations[#D] dilations>=1 "
                "pads[2*#D] pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID storage_order=0|1 ceil_mode=0|1",
                lowerMaxPool);
  registry.onOp("GlobalMaxPool", {1, 22}, "X[N,C,_*]", lowerGlobalMax);
  registry.onOp(
      "MaxpoolWithMask", {1},
      "X[N,C,D+] M[P,Q,D+] P>=1 Q>=1 #D<=3 kernel_shape[#D] kernel_shape>=1 strides[#D] strides>=1 pads[2*#D] "
      "pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID",
      lowerMasked, "com.microsoft");
}

} // namespace sinter
