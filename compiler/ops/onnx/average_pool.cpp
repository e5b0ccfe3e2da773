// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AveragePool and LpPool: means and sums over windows. LpPool sums powers of x and takes the root. The mean of a window
// without elements is 0, as in onnxruntime; the standard's formula has none, the reference evaluator makes NaN of it.
#include "ops/norms.h"
#include "ops/spatial.h"

using namespace mlir;

namespace sinter {
namespace {

/// Where SAME pads are only known at run time they become part of x, and of a mask of ones for the number of elements.
Tensor pooled(const Op &op, Tensor x, Window window, bool includePads, bool sum) {
  auto fixed = [](Size pad) { return constantOf(pad).has_value(); };
  if (llvm::all_of(window.low, fixed) && llvm::all_of(window.high, fixed))
    return pool(op, x, window, sum ? PoolKind::Sum : PoolKind::Average, includePads);
  Scalars s{op.b, op.loc, x.element};
  Value zero = narrow(op.b, op.loc, x.element, s.constant(0)), one = narrow(op.b, op.loc, x.element, s.constant(1));
  Sizes low = window.low, high = window.high, image = op.sizes(x);
  image[0] = image[1] = sizeOf(op.b, 1);
  window.low = window.high = sizesOf(op.b, SmallVector<int64_t>(window.rank(), 0));
  Tensor sums = pool(op, padSpatial(op, x, low, high, zero), window,
                     sum || !includePads ? PoolKind::Sum : PoolKind::Average, true);
  if (sum || includePads)
    return sums;
  Tensor counts =
      pool(op, padSpatial(op, op.filled(image, x.element, one), low, high, zero), window, PoolKind::Sum, true);
  return op.elementwise({sums, counts}, x.element,
                        [](const Scalars &t, ValueRange v) { return t.div(v[0], t.max(v[1], t.constant(1))); });
}

FailureOr<Window> windowOfPool(Op &op) {
  Tensor x = op.input(0);
  if (x.rank() < 3 || x.rank() > 5)
    return op.unsupported("a pool over a tensor of rank " + Twine(x.rank()), "one to three spatial dims are supported");
  return windowOf(op, ArrayRef(op.sizes(x)).drop_front(2), sizesOf(op.b, op.integers("kernel_shape")));
}

LogicalResult lowerGlobalAverage(Op &op) {
  Tensor x = op.input(0);
  Tensor sums = op.reduce(
      x, spatialAxes(x), true, computedAs(x.element), [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  Size count = product(op.b, op.loc, ArrayRef(op.sizes(x)).drop_front(2));
  Tensor mean = op.elementwise({sums}, sums.element, [&](const Scalars &s, ValueRange v) {
    return s.div(v[0], indexAsFloat(s, toValue(s.b, s.loc, count)));
  });
  return op.result(op.cast(mean, x.element));
}

LogicalResult lowerAverage(Op &op) {
  FailureOr<Window> window = windowOfPool(op);
  if (failed(window))
    return failure();
  bool includesPads = op.integer("count_include_pad", 0) != 0;
  if (!includesPads && coversAll(op, op.input(0), *window))
    return lowerGlobalAverage(op);
  return op.result(pooled(op, op.input(0), *window, includesPads, false));
}

LogicalResult lowerLp(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Window> window = windowOfPool(op);
  if (failed(window))
    return failure();
  double p = op.since == 1 ? op.real("p", 2) : static_cast<double>(op.integer("p", 2));
  Tensor powers =
      op.elementwise({x}, x.element, [&](const Scalars &s, ValueRange v) { return powerOfNorm(s, v[0], p); });
  Tensor sums = pooled(op, powers, *window, false, true);
  return op.result(
      op.elementwise({sums}, x.element, [&](const Scalars &s, ValueRange v) { return rootOfNorm(s, v[0], p); }));
}

LogicalResult lowerGlobalLp(Op &op) {
  Tensor x = op.input(0);
  double p = op.since == 1 ? op.real("p", 2) : static_cast<double>(op.integer("p", 2));
  Tensor sums = op.reduce(
      x, spatialAxes(x), true, computedAs(x.element), [](const Scalars &s) { return s.constant(0); },
      [&](const Scalars &s, Value acc, Value v) { return s.add(acc, powerOfNorm(s, v, p)); });
  Tensor norm =
      op.elementwise({sums}, sums.element, [&](const Scalars &s, ValueRange v) { return rootOfNorm(s, v[0], p); });
  return op.result(op.cast(norm, x.element));
}
} // namespace

void register_average_pool(Registry &registry) {
  registry.onOp("AveragePool", {1, 7, 10, 11, 19, 22},
                "X[N,C,D+] kernel_shape[#D] kernel_shape>=1 strides[#D] strides>=1 dilations[#D] dilations>=1 "
                "pads[2*#D] pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID ceil_mode=0|1 count_include_pad=0|1",
                lowerAverage);
  registry.onOp("LpPool", {1, 2, 11, 18, 22},
                "X[N,C,D+] kernel_shape[#D] kernel_shape>=1 strides[#D] strides>=1 dilations[#D] dilations>=1 "
                "pads[2*#D] pads>=0 auto_pad=|NOTSET|SAME_UPPER|SAME_LOWER|VALID ceil_mode=0|1",
                lowerLp);
  registry.onOp("GlobalAveragePool", {1, 22}, "X[N,C,_*]", lowerGlobalAverage);
  registry.onOp("GlobalLpPool", {1, 2, 22}, "X[N,C,_*]", lowerGlobalLp);
}

} // namespace sinter
