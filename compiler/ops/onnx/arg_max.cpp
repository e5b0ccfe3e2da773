// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ArgMax, ArgMin: the index of the first (or last) greatest (least) element along an axis. A NaN beats every number.
#include "ops/arg_max.h"

using namespace mlir;

namespace sinter {

namespace {
template <bool greatest>
LogicalResult lowerArgMax(Op &op) {
  Tensor x = op.input(0);
  FailureOr<int64_t> axis = op.axis(op.integer("axis"), x.rank());
  if (failed(axis))
    return failure();
  bool last = op.integer("select_last_index");
  Compare better =
      greatest ? (last ? Compare::GreaterOrEqual : Compare::Greater) : (last ? Compare::LessOrEqual : Compare::Less);

  Tensor y = placeOfBest(op, x, *axis, better);
  return op.result(op.integer("keepdims", 1) ? op.unsqueeze(y, *axis) : y);
}
} // namespace

void register_arg_max(Registry &registry) {
  constexpr const char *rule =
      "data[A:or(axis,0),D,B*] axis@data D>=min(1,product(A)*product(B)) keepdims=0|1 select_last_index=0|1";
  registry.onOp("ArgMax", {1, 11, 12, 13}, rule, lowerArgMax<true>);
  registry.onOp("ArgMin", {1, 11, 12, 13}, rule, lowerArgMax<false>);
}

} // namespace sinter
