// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StringConcat: x and behind it y, for each pair.
#include "ops/text.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerStringConcat(Op &op) {
  Tensor x = op.input(0), y = op.input(1);
  if (failed(op.checkBroadcast({x, y})))
    return failure();
  Sizes sizes = *op.broadcastSizes({x, y});
  Size all = product(op.b, op.loc, sizes);
  auto line = [&](Tensor operand) { return op.reshape(op.broadcastTo(operand, sizes), {all}); };
  Tensor made =
      makeText(op, "concat_text", {line(x), line(y)}, {{{all}, ElementType::String}}, {}, all, usualTextBytes)[0];
  return op.result(op.reshape(made, sizes));
}
} // namespace

void register_string_concat(Registry &registry) {
  registry.onOp("StringConcat", {20}, "X[S~] Y[S~]", lowerStringConcat);
}

} // namespace sinter
