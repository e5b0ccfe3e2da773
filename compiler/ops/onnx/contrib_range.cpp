// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: Range, whose step may be left out; CDist, the distances of the rows of one matrix from those of
// another, which scikit-learn's converters write.
#include "ops/math.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult range(Op &op) {
  auto number = [&](unsigned i) { return op.reshape(op.input(i), {}); };
  Tensor step = op.has(2) ? number(2) : op.scalar(op.input(0).element, 1);
  auto y = op.call("Range", 11, {number(0), number(1), step});
  return failed(y) ? failure() : op.result((*y)[0]);
}

LogicalResult cdist(Op &op) {
  Tensor a = op.input(0), sums = squaredDistances(op, a, op.input(1));
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
