// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attention_call.h"
#include "builders/attention_scratch.h"

using namespace mlir;

namespace sinter {

Tensor attentionHeads(const Op &op, const AttentionCall &call) {
  SmallVector<Tensor> operands{call.q, call.k, call.v};
  if (call.mask)
    operands.push_back(call.mask);
  Sizes out = op.sizes(call.q);
  out[3] = op.size(call.v, 3);
  return op.kernel("attention_heads", operands,
                   {{out, call.q.element},
                    {{attentionScratch(op.b, op.loc, call.q.value, call.k.value, call.v.value)}, ElementType::Float}},
                   {op.paramReal("scale", call.scale), op.param("zero_masked_rows", call.zeroMaskedRows)})[0];
}

} // namespace sinter
