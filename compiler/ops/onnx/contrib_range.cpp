// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: Range, whose step may be left out; CDist, the distances of the rows of one matrix from those of
// another, which scikit-learn's converters write.
#include "ops/lowering.h"
#include "ops/math.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult range(Op &op) {
  auto number = [&](unsigned i) { return op.reshape(op.input(i), {}); };
  Tensor step = op.has(2) ? number(2) : op.scalar(op.input(0).element, 1);
  auto y = op.call("Range", 11, {number(0), number(1), step});
  return failed(y) ? failure() : op.result((*y)[0]);
}

/// sum over n of (a[m, n] - b[k, n])^2.
LogicalResult cdist(Op &op) {
  Tensor a = op.unsqueeze(op.input(0), 1), b = op.unsqueeze(op.input(1), 0);
  Tensor squares = op.elementwise({a, b}, a.element, [](const Scalars &s, ValueRange v) {
    Value apart = s.sub(v[0], v[1]);
    return s.mul(apart, apart);
  });
  Tensor sums = op.reduce(
      squares, 2, false, a.element, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  if (op.string("metric") == "sqeuclidean")
    return op.result(sums);
  return op.result(op.elementwise({sums}, a.element, [](const Scalars &s, ValueRange v) { return sqrt(s, v[0]); }));
}
} // namespace

void register_contrib_range(Registry &registry) {
  registry.onOp("Range", {1}, "start[]|[1] limit[]|[1] delta[]|[1]", range, "com.microsoft");
  registry.onOp("CDist", {1}, "A[M,N] B[K,N] metric=sqeuclidean|euclidean", cdist, "com.microsoft");
}

} // namespace sinter
