// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FusedAttention of domain "sinter", what recognize_attention.cpp makes: Y = softmax(scale Q K + mask) V with K as
// [..., e, s]. Ranks 2 to 4 are lowered to the kernel attention_heads; the transposes in front of it become views where
// they can. Keys and values that repeat each head for a group of query heads (Expand and Reshape, as exporters write
// grouped queries) are read as they were before that: query heads of a group are rows of one head. What the kernel does
// not take (doubles, more dims, operands that broadcast), of which the graph's types need not tell, becomes the
// operators that it was made of.
#include "ops/attention_call.h"
#include "ops/size_relation.h"

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

/// Whether all but the last `own` dims of x are those of `whole`, or 1 where `mayBeOne`.
bool hasDimsOf(const Op &op, Tensor x, Tensor whole, int64_t own, bool mayBeOne) {
  for (int64_t i = 0; i < x.rank() - own; ++i) {
    Size size = op.size(x, i);
    if (!sameSize(size, op.size(whole, whole.rank() - x.rank() + i)) && !(mayBeOne && constantOf(size) == 1))
      return false;
  }
  return true;
}

bool suitsKernel(const Op &op, Tensor q, Tensor k, Tensor v, Tensor mask) {
  if (q.rank() != k.rank() || q.rank() != v.rank() || q.rank() < 2 || q.rank() > 4 || !sinter::isFloat(q.element) ||
      q.element == ElementType::Double || !hasDimsOf(op, k, q, 2, false) || !hasDimsOf(op, v, q, 2, false))
    return false;
  if (!mask)
    return true;
  // A mask of another symbol's length is one key's or all keys', which lower() has each call test: of one key alone it
  // could be that scores spread.
  Size keys = op.size(k, k.rank() - 1);
  auto range = rangeOf(keys);
  bool spreads = mask.rank() == 0 || constantOf(op.size(mask, mask.rank() - 1)) == 1 ||
                 sameSize(op.size(mask, mask.rank() - 1), keys) || (range && range->first > 1);
  return mask.rank() <= q.rank() && spreads && hasDimsOf(op, mask, q, 1, true);
}

/// The operators one by one; `made` is what those so far have made.
LogicalResult lowerUnfused(Op &op) {
  FailureOr<SmallVector<Tensor>> made = op.call("MatMul", 13, {op.input(0), op.input(1)}, {}, 1);
  if (failed(made))
    return failure();
  Tensor scores = made->front();
  if (double scale = op.real("scale"); scale != 1)
    scores = op.elementwise(scores, scores.element,
                            [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(scale)); });
  if (op.has(3)) {
    made = op.call("Add", 14, {scores, op.input(3)}, {}, 1);
    if (failed(made))
      return failure();
    scores = made->front();
  }
  made = op.call("Softmax", 13, scores, op.param("axis", int64_t(-1)), 1);
  if (failed(made))
    return failure();
  Tensor weights = made->front();
  if (op.integer("zero_masked_rows") != 0)
    weights = op.elementwise(weights, weights.element, [](const Scalars &s, ValueRange v) {
      return s.select(s.compare(Compare::NotEqual, v[0], v[0]), s.constant(0), v[0]);
    });
  made = op.call("MatMul", 13, {weights, op.input(2)}, {}, 1);
  return failed(made) ? failure() : op.result(made->front());
}

/// Of [b, h * r, s, e] that repeats each head r times: [b, h, s, e] and r; else 1.
std::pair<Tensor, int64_t> withoutRepeats(Tensor heads) {
  const std::pair<Tensor, int64_t> asItIs{heads, 1};
  const SmallVector<ReassociationIndices> joined{{0}, {1, 2}, {3}, {4}};
  auto collapse = heads.value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || collapse.getReassociationIndices() != joined)
    return asItIs;
  auto repeated = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
  auto type = cast<RankedTensorType>(collapse.getSrc().getType());
  if (!repeated || repeated.getNumDpsInputs() != 0 || type.isDynamicDim(2))
    return asItIs;
  auto read = repeated.getBody()->getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  auto source = read ? read.getTensor().getDefiningOp<tensor::ExpandShapeOp>() : nullptr;
  if (!source || source.getSrcType().getRank() != 4 || source.getResultType().getRank() != 5 ||
      source.getResultType().getDimSize(2) != 1)
    return asItIs;
  for (auto [d, index] : llvm::enumerate(read.getIndices())) {
    auto axis = static_cast<int64_t>(d);
    if (axis == 2)
      continue;
    auto along = index.getDefiningOp<linalg::IndexOp>();
    bool isOne = type.getDimSize(axis) == 1 && source.getResultType().getDimSize(axis) == 1;
    if (!isOne && (!along || along.getDim() != d || type.getDimSize(axis) != source.getResultType().getDimSize(axis)))
      return asItIs;
  }
  return {{source.getSrc(), heads.element}, type.getDimSize(2)};
}

/// A mask [b, h or 1, l or 1, s] for heads whose rows are those of `repeats` query heads.
Tensor repeatedMask(const Op &op, Tensor mask, int64_t repeats, Size queries) {
  Sizes sizes = op.sizes(mask);
  bool isOne = constantOf(sizes[1]) == 1;
  if (isOne && constantOf(sizes[2]) == 1) // one row for all queries
    return mask;
  Size groups = isOne ? sizes[1] : floorDiv(op.b, op.loc, sizes[1], repeats), each = sizeOf(op.b, repeats);
  Tensor apart = op.reshape(mask, {sizes[0], groups, isOne ? sizeOf(op.b, 1) : each, sizes[2], sizes[3]});
  apart = op.broadcastTo(apart, {sizes[0], groups, each, queries, sizes[3]});
  return op.reshape(apart, {sizes[0], groups, mul(op.b, op.loc, each, queries), sizes[3]});
}

LogicalResult lowerFusedAttention(Op &op) {
  Tensor q = op.input(0), k = op.input(1), v = op.input(2);
  if (!suitsKernel(op, q, k, v, op.inputOrNone(3)))
    return lowerUnfused(op);
  if (failed(mustBeEqual(op, op.size(q, q.rank() - 1), op.size(k, k.rank() - 2),
                         "Q and K differ in the size of a head")) ||
      failed(mustBeEqual(op, op.size(k, k.rank() - 1), op.size(v, v.rank() - 2), "K and V differ in length")))
    return failure();
  if (op.has(3) && op.input(3).rank() > 0 &&
      failed(mustBroadcast(op, op.size(op.input(3), op.input(3).rank() - 1), op.size(k, k.rank() - 1),
                           "the mask and K differ in length")))
    return failure();
  Sizes result = op.sizes(q);
  result.back() = op.size(v, v.rank() - 1);
  Tensor q4 = withHeads(op, q), k4 = op.transpose(withHeads(op, k), {0, 1, 3, 2}), v4 = withHeads(op, v);
  Size rows = op.size(q4, 2);
  auto [keysOnce, repeats] = withoutRepeats(k4);
  auto [valuesOnce, valueRepeats] = withoutRepeats(v4);
  if (repeats == valueRepeats && repeats > 1) {
    k4 = keysOnce, v4 = valuesOnce;
    q4 = op.reshape(q4,
                    {op.size(q4, 0), op.size(k4, 1), mul(op.b, op.loc, rows, sizeOf(op.b, repeats)), op.size(q4, 3)});
  } else {
    repeats = 1;
  }
  AttentionCall call{q4, k4, v4, {}, op.real("scale"), op.integer("zero_masked_rows") != 0};
  if (op.has(3)) {
    Tensor mask = withHeads(op, op.broadcastTo(op.input(3), maskSizes(op, op.input(3), op.size(k4, 2))));
    call.mask = repeats > 1 ? repeatedMask(op, mask, repeats, rows) : mask;
  }
  return op.result(op.reshape(attentionHeads(op, call), result));
}
} // namespace

void register_fused_attention(Registry &registry) {
  registry.onOp("FusedAttention", {1}, "Q[_*] K[_*] V[_*]", lowerFusedAttention, "sinter");
}

} // namespace sinter
