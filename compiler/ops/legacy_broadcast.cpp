// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "legacy_broadcast.h"

#include "size_relation.h"

using namespace mlir;

namespace sinter {

LogicalResult resultBroadcasting(Op &op, ElementType out, Tensors::BodyFn body) {
  Tensor x = op.input(0), y = op.input(1);
  bool isLegacy = op.since < 7 && op.integer("broadcast");
  if (isLegacy && op.hasAttribute("axis")) {
    FailureOr<int64_t> axis = op.axis(op.integer("axis"), x.rank());
    if (failed(axis) || *axis + y.rank() > x.rank())
      return op.fail(Code::ShapeMismatch, "'axis' does not leave room for the second operand's dims");
    // Line y's dims up with x's from `axis` on by trailing dims of size 1.
    SmallVector<int64_t> trailing = llvm::to_vector(llvm::seq<int64_t>(y.rank(), x.rank() - *axis));
    y = op.unsqueeze(y, trailing);
  }
  // The rules leave y's dims open, which depend on `axis`.
  for (int64_t behind = 1; isLegacy && behind <= std::min(x.rank(), y.rank()); ++behind)
    if (failed(mustHold(op, broadcasts(op, op.size(x, x.rank() - behind), op.size(y, y.rank() - behind)),
                        "the second operand's dims do not fit the first's")))
      return failure();
  return op.resultElementwise({x, y}, out, body);
}

} // namespace sinter
