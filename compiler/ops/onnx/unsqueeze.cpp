// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsqueeze: inserts dims of size 1 at `axes` of the result. Where these are run-time data the shape that the model
// declares says which.
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {

void register_unsqueeze(Registry &registry) {
  registry.onOp("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, "data[_*] axes[]|[_]", [](Op &op) -> LogicalResult {
    Tensor x = op.input(0);
    if (std::optional<Tensor> declared = reshapedAsDeclared(op, x, 1))
      return op.result(*declared);
    auto given = integersFrom(op, "axes", 1);
    if (failed(given))
      return failure();
    SmallVector<int64_t> values = given->value_or(SmallVector<int64_t>());
    FailureOr<SmallVector<int64_t>> axes = op.axes(values, x.rank() + values.size());
    if (failed(axes))
      return failure();
    return op.result(op.unsqueeze(x, *axes));
  });
}

} // namespace sinter
