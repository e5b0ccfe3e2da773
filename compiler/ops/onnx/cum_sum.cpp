// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CumSum and CumProd, along an axis that may be run-time data.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

namespace {
template <bool product>
LogicalResult lowerCumSum(Op &op) {
  Tensor x = op.input(0), axis = op.input(1);
  if (std::optional<SmallVector<int64_t>> known = op.constantIntegers(1))
    if (known->size() != 1 || failed(op.axis(known->front(), x.rank())))
      return failure();
  NamedAttribute params[] = {op.param("product", product), op.param("exclusive", op.integer("exclusive") != 0),
                             op.param("reverse", op.integer("reverse") != 0)};
  return op.result(op.kernel("cumulate", {x, axis}, {{op.sizes(x), x.element}}, params)[0]);
}
} // namespace

void register_cum_sum(Registry &registry) {
  registry.onOp("CumSum", {11, 14}, "x[_*] axis[]|[1] value(axis)@x exclusive=0|1 reverse=0|1", lowerCumSum<false>);
  registry.onOp("CumProd", {26}, "x[_*] axis[]|[1] value(axis)@x exclusive=0|1 reverse=0|1", lowerCumSum<true>);
}

} // namespace sinter
