// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Squeeze: drops dims of size 1: those named, or all, for which it must be known of each dim whether it is 1. Dims that
// data decides are taken for others, which each call tests. Where the names are run-time data the shape that the model
// declares says which.
#include "ops/attribute_or_operand.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {

void register_squeeze(Registry &registry) {
  registry.onOp("Squeeze", {1, 11, 13, 21, 23, 24, 25}, "data[_*] axes[_]", [](Op &op) -> LogicalResult {
    Tensor x = op.input(0);
    if (std::optional<Tensor> declared = reshapedAsDeclared(op, x, 1))
      return op.result(*declared);
    auto given = integersFrom(op, "axes", 1);
    if (failed(given))
      return failure();
    SmallVector<int64_t> values;
    if (*given)
      for (int64_t axis : **given) { // one that is named twice goes once
        if (!llvm::is_contained(values, axis) &&
            !llvm::is_contained(values, axis < 0 ? axis + x.rank() : axis - x.rank()))
          values.push_back(axis);
      }
    else
      for (auto [i, size] : llvm::enumerate(op.sizes(x))) {
        auto range = rangeOf(size);
        if (constantOf(size) == 1)
          values.push_back(i);
        else if (range && (range->first > 1 || range->second < 1))
          continue;
        else if (dependsOnData(size)) {
          if (failed(mustHold(op, relationHolds(op, "!=", size, sizeOf(op.b, 1)), "a dim that data decides is 1")))
            return failure();
        } else
          return op.fail(Code::ShapeNotConstant,
                         "without 'axes' the result's rank depends on dim " + Twine(i) + ", which may be 1 or more",
                         "say in the model which axes go, or give the dim that it depends on: --dim NAME=N, or "
                         "--dim NAME=2..N where it is never 1");
      }
    FailureOr<SmallVector<int64_t>> axes = op.axes(values, x.rank());
    if (failed(axes))
      return failure();
    for (int64_t axis : *axes)
      if (failed(mustBeEqual(op, op.size(x, axis), sizeOf(op.b, 1),
                             "dim " + Twine(axis) + " is not 1 and cannot be dropped")))
        return failure();
    return op.result(op.squeeze(x, *axes));
  });
}

} // namespace sinter
