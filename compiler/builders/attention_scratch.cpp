// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attention_scratch.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace sinter {

Size attentionScratch(OpBuilder &b, Location loc, Value q, Value k, Value v) {
  constexpr int64_t leastRows = 4, mostRows = 14; // kAttentionRows
  constexpr int64_t keysAtOnce = 128, widenedKeys = 32, keptNumbers = 3, scaleBytes = 4, floatBytes = 4;
  constexpr int64_t mostPanelColumns = 32, slack = 16; // kPackedAlignment in floats
  auto number = [&](int64_t n) { return sizeOf(b, n); };
  auto plus = [&](Size x, Size y) { return add(b, loc, x, y); };
  auto times = [&](Size x, Size y) { return mul(b, loc, x, y); };
  auto holdsBytes = [](Value rows) { return cast<ShapedType>(rows.getType()).getElementType().isInteger(8); };
  Size queries = dimOf(b, loc, q, 2), depth = dimOf(b, loc, q, 3), width = dimOf(b, loc, v, 3);
  if (holdsBytes(v))
    width = sub(b, loc, width, number(scaleBytes));
  Size keys = minimum(b, loc, dimOf(b, loc, k, 2), number(keysAtOnce));
  Size rows = minimum(b, loc, queries, number(mostRows)), scores = times(keys, plus(rows, number(2)));
  auto range = rangeOf(queries);
  bool mayBeMany = !range || range->second >= leastRows;
  Size ofKeys = times(depth, mayBeMany && !holdsBytes(k) ? plus(keys, number(widenedKeys)) : number(widenedKeys));
  auto keyRange = rangeOf(dimOf(b, loc, k, 2));
  bool hasBlocks = !keyRange || keyRange->second > keysAtOnce;
  Size kept = times(queries, hasBlocks ? plus(width, number(keptNumbers)) : number(1));
  Size all = plus(plus(scores, ofKeys), kept);
  if (holdsBytes(k)) // sums of packed rows, and the queries as rows of bytes
    all = plus(plus(all, number(slack + keysAtOnce)),
               times(queries, plus(ceilDiv(b, loc, depth, floatBytes), number(scaleBytes / floatBytes))));
  if (holdsBytes(v)) { // packed values, the weights' two halves, what each comes to
    Size panels = ceilDiv(b, loc, width, mostPanelColumns);
    all = plus(plus(all, number(slack)), times(panels, number(mostPanelColumns * keysAtOnce / floatBytes)));
    all = plus(all, times(rows, plus(number(2 * keysAtOnce / floatBytes), times(width, number(2)))));
  }
  return all;
}

void renewScratch(KernelOp attention) {
  OpBuilder b(attention);
  ValueRange inputs = attention.getInputs();
  Size size = attentionScratch(b, attention.getLoc(), inputs[0], inputs[1], inputs[2]);
  Value scratch = b.create<tensor::EmptyOp>(attention.getLoc(), ArrayRef<Size>(size), b.getF32Type());
  attention.getInitsMutable()[1].assign(scratch);
  attention.getResult(1).setType(scratch.getType());
}

} // namespace sinter
