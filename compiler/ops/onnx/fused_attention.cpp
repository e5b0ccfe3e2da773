// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FusedAttention of domain "sinter", what recognize_attention.cpp makes: Y = softmax(scale Q K + mask) V with K as
// [..., e, s]. Ranks 2 to 4 are lowered to the kernel attention_heads; the transposes in front of it become views where
// they can.
#include "ops/lowering.h"

using namespace mlir;

namespace sinter {
namespace {

/// [..., m, n] as [b, h, m, n].
Tensor withHeads(const Op &op, Tensor x) {
  Sizes sizes = op.sizes(x);
  sizes.insert(sizes.begin(), 4 - x.rank(), sizeOf(op.b, 1));
  return op.reshape(x, sizes);
}

/// A mask's own sizes with the last dim, which may be 1, spread over the keys.
Sizes maskSizes(const Op &op, Tensor mask, Size keys) {
  Sizes sizes = op.sizes(mask);
  if (sizes.empty())
    return {keys};
  sizes.back() = keys;
  return sizes;
}

LogicalResult lower(Op &op) {
  Tensor q = op.input(0), k = op.input(1), v = op.input(2);
  if (q.rank() != k.rank() || q.rank() != v.rank() || q.rank() < 2 || q.rank() > 4 || !sinter::isFloat(q.element) ||
      q.element == ElementType::Double)
    return op.unsupported("attention of operands whose ranks differ or exceed 4", "--disable-pass=recognize-attention");
  Sizes result = op.sizes(q);
  result.back() = op.size(v, v.rank() - 1);
  Tensor q4 = withHeads(op, q), k4 = op.transpose(withHeads(op, k), {0, 1, 3, 2}), v4 = withHeads(op, v);
  Sizes out = op.sizes(q4);
  out.back() = op.size(v4, 3);
  Size keys = op.size(k4, 2), depth = op.size(k4, 3);
  // Scores of a block of queries, and K transposed where a block is filled: attentionScratch for any target.
  constexpr int64_t leastRows = 4, mostRows = 14; // kAttentionRows
  Size queries = op.size(q4, 2), perKey = minimum(op.b, op.loc, queries, sizeOf(op.b, mostRows));
  if (auto range = rangeOf(queries); !range || range->second >= leastRows)
    perKey = add(op.b, op.loc, perKey, depth);
  Size scratch = mul(op.b, op.loc, keys, perKey);
  SmallVector<Tensor> operands = {q4, k4, v4};
  if (op.has(3))
    operands.push_back(withHeads(op, op.broadcastTo(op.input(3), maskSizes(op, op.input(3), keys))));
  NamedAttribute params[] = {op.paramReal("scale", op.real("scale")),
                             op.param("zero_masked_rows", op.integer("zero_masked_rows") != 0)};
  auto made = op.kernel("attention_heads", operands, {{out, q.element}, {{scratch}, ElementType::Float}}, params);
  return op.result(op.reshape(made[0], result));
}
} // namespace

void register_fused_attention(Registry &registry) {
  registry.onOp("FusedAttention", {1}, "Q[_*] K[_*] V[_*]", lower, "sinter");
}

} // namespace sinter
