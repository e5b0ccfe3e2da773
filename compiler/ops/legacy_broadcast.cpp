// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "legacy_broadcast.h"

using namespace mlir;

namespace sinter {

LogicalResult resultBroadcasting(Op &op, ElementType out, Tensors::BodyFn body) {
  Tensor x = op.input(0), y = op.input(1);
  if (op.since < 7 && op.integer("broadcast") && op.hasAttribute("axis")) {
    FailureOr<int64_t> axis = op.axis(op.integer("axis"), x.rank());
    if (failed(axis) || *axis + y.rank() > x.rank())
      return op.fail(Code::ShapeMismatch, "'axis' does not leave room for the second operand's dims");
    // Line y's dims up with x's from `axis` on by trailing dims of size 1.
    SmallVector<int64_t> trailing = llvm::to_vector(llvm::seq<int64_t>(y.rank(), x.rank() - *axis));
    y = op.unsqueeze(y, trailing);
  }
  return op.resultElementwise({x, y}, out, body);
}

} // namespace sinter
