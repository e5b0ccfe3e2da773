// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expand: numpy broadcasting of x with a shape.
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerExpand(Op &op) {
  Tensor x = op.input(0);
  FailureOr<Sizes> shape = op.elements(1, "shape");
  if (failed(shape))
    return failure();
  Sizes own = op.sizes(x);
  int64_t rank = std::max(own.size(), shape->size());
  Sizes target(rank, sizeOf(op.b, 1));
  for (int64_t i = 0; i < rank; ++i) {
    int64_t fromX = i - (rank - static_cast<int64_t>(own.size())),
            fromShape = i - (rank - static_cast<int64_t>(shape->size()));
    Size mine = fromX >= 0 ? own[fromX] : sizeOf(op.b, 1),
         asked = fromShape >= 0 ? (*shape)[fromShape] : sizeOf(op.b, 1);
    if (failed(mustHold(op, broadcasts(op, mine, asked),
                        "dim " + Twine(i) + " of size " + Twine(constantOf(mine).value_or(0)) + " does not expand to " +
                            Twine(constantOf(asked).value_or(0)))))
      return failure();
    std::optional<int64_t> fixedMine = constantOf(mine), fixedAsked = constantOf(asked);
    if (fixedAsked == 1 || sameSize(mine, asked) || (fixedMine && *fixedMine != 1 && !fixedAsked))
      target[i] = mine;
    else if (fixedMine == 1 || (fixedAsked && !fixedMine))
      target[i] = asked;
    else
      target[i] = chosen(op,
                         op.b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, toValue(op.b, op.loc, mine),
                                                    toValue(op.b, op.loc, sizeOf(op.b, 1))),
                         asked, mine);
  }
  FailureOr<Sizes> bounded = boundedSizes(op, target);
  if (failed(bounded))
    return failure();
  return op.result(op.broadcastTo(x, *bounded));
}
} // namespace

void register_expand(Registry &registry) { registry.onOp("Expand", {8, 13}, "input[_*] shape[]|[_]", lowerExpand); }

} // namespace sinter
