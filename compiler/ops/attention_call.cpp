// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attention_call.h"

using namespace mlir;

namespace sinter {
namespace {

/// attentionScratch of templates/attention/attention.h for the largest and the smallest of all targets' tiles.
Size attentionScratchOf(const Op &op, const AttentionCall &call) {
  constexpr int64_t leastRows = 4, mostRows = 14; // kAttentionRows
  constexpr int64_t keysAtOnce = 128, widenedKeys = 32, keptNumbers = 3;
  auto number = [&](int64_t n) { return sizeOf(op.b, n); };
  auto plus = [&](Size a, Size b) { return add(op.b, op.loc, a, b); };
  auto times = [&](Size a, Size b) { return mul(op.b, op.loc, a, b); };
  Size queries = op.size(call.q, 2), depth = op.size(call.q, 3), width = op.size(call.v, 3);
  Size keys = minimum(op.b, op.loc, op.size(call.k, 2), number(keysAtOnce));
  Size rows = minimum(op.b, op.loc, queries, number(mostRows)), scores = times(keys, plus(rows, number(2)));
  auto range = rangeOf(queries);
  bool mayBeMany = !range || range->second >= leastRows;
  Size widened = times(depth, mayBeMany ? plus(keys, number(widenedKeys)) : number(widenedKeys));
  auto keyRange = rangeOf(op.size(call.k, 2));
  bool hasBlocks = !keyRange || keyRange->second > keysAtOnce;
  Size kept = times(queries, hasBlocks ? plus(width, number(keptNumbers)) : number(1));
  return plus(plus(scores, widened), kept);
}

} // namespace

Tensor attentionHeads(const Op &op, const AttentionCall &call) {
  SmallVector<Tensor> operands{call.q, call.k, call.v};
  if (call.mask)
    operands.push_back(call.mask);
  Sizes out = op.sizes(call.q);
  out[3] = op.size(call.v, 3);
  return op.kernel("attention_heads", operands,
                   {{out, call.q.element}, {{attentionScratchOf(op, call)}, ElementType::Float}},
                   {op.paramReal("scale", call.scale), op.param("zero_masked_rows", call.zeroMaskedRows)})[0];
}

} // namespace sinter
