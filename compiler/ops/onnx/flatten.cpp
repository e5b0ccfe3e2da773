// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flatten: dims before `axis` as one, dims from it on as another.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {

void register_flatten(Registry &registry) {
  registry.onOp("Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, "input[_*] -rank(input)<=axis<=rank(input)",
                [](Op &op) -> LogicalResult {
                  Tensor x = op.input(0);
                  int64_t axis = op.integer("axis", 1);
                  axis = axis < 0 ? axis + x.rank() : axis;
                  if (axis < 0 || axis > x.rank())
                    return op.fail(Code::ShapeMismatch, "axis " + Twine(op.integer("axis", 1)) +
                                                            " is outside a tensor of rank " + Twine(x.rank()));
                  Sizes sizes = op.sizes(x);
                  Size outer = product(op.b, op.loc, ArrayRef(sizes).take_front(axis)),
                       inner = product(op.b, op.loc, ArrayRef(sizes).drop_front(axis));
                  return op.result(op.reshape(x, {outer, inner}));
                });
}

} // namespace sinter
