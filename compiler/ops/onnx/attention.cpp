// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention: the fused kernel where only Y is asked for; products and a softmax where scores are capped, shown, or in
// double. Query heads that share a key head are rows of it. Masks, causality, windows and the number of valid keys
// become one additive mask.
#include "ops/attention_call.h"
#include "ops/contraction.h"
#include "ops/math.h"
#include "ops/norms.h"
#include "ops/runtime_sizes.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

struct Attention {
  Tensor q, k, v;         ///< [batch, heads, sequence, size]
  Tensor mask, validKeys; ///< or none
  Size past;
  Size repeats; ///< query heads per key head
  bool rank3;
};

FailureOr<Attention> readAttention(Op &op) {
  Attention a{op.input(0), op.input(1), op.input(2), {}, {}, sizeOf(op.b, 0), {}, op.input(0).rank() == 3};
  int64_t queryHeads = op.integer("q_num_heads", 0), keyHeads = op.integer("kv_num_heads", 0);
  if (a.q.rank() != a.k.rank() || a.q.rank() != a.v.rank() || (a.q.rank() != 3 && a.q.rank() != 4))
    return op.fail(Code::ShapeMismatch, "Q, K and V must all have rank 3 or all rank 4");
  if (a.rank3 && (queryHeads < 1 || keyHeads < 1))
    return op.fail(Code::ShapeMismatch, "Q, K and V of rank 3 need q_num_heads and kv_num_heads");
  if (a.rank3) {
    a.q = splitHeads(op, a.q, queryHeads);
    a.k = splitHeads(op, a.k, keyHeads);
    a.v = splitHeads(op, a.v, keyHeads);
  }
  if (op.has(4) && op.has(5)) {
    a.past = op.size(op.input(4), 2);
    a.k = op.concat({op.input(4), a.k}, 2);
    a.v = op.concat({op.input(5), a.v}, 2);
  }
  if (op.has(3))
    a.mask = op.input(3);
  if (op.has(6))
    a.validKeys = op.input(6);
  std::optional<int64_t> many = constantOf(op.size(a.q, 1)), few = constantOf(op.size(a.k, 1));
  if (!many || !few)
    return op.fail(Code::ShapeNotConstant, "the number of heads is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  if (*few == 0 ? *many != 0 : *many % *few != 0)
    return op.fail(Code::ShapeMismatch, "the number of query heads is not a multiple of the number of key heads");
  a.repeats = sizeOf(op.b, *few == 0 ? 1 : *many / *few);
  return a;
}

/// The mask's last dim grown to the number of keys: keys that it does not name are not seen.
Tensor grownMask(const Op &op, Tensor mask, Size keys) {
  Size own = op.size(mask, mask.rank() - 1);
  if (sameSize(own, keys))
    return mask;
  Sizes low(mask.rank(), sizeOf(op.b, 0)), high = low;
  high.back() = sub(op.b, op.loc, keys, own);
  Scalars s{op.b, op.loc, mask.element};
  return op.pad(mask, low, high, narrow(op.b, op.loc, mask.element, s.lowest()));
}

/// [batch or 1, heads or 1, queries, keys], 0 or what is added to a score; -infinity for a key that is not seen. None
/// where all are.
Tensor additiveMask(const Op &op, const Attention &a, ElementType type) {
  OpBuilder &b = op.b;
  int64_t left = op.integer("left_window_size", -1), right = op.integer("right_window_size", -1);
  bool causal = op.integer("is_causal", 0) != 0;
  if (!a.mask && !a.validKeys && !causal && left < 0 && right < 0)
    return {};
  Size queries = op.size(a.q, 2), keys = op.size(a.k, 2), one = sizeOf(b, 1);
  Sizes sizes{one, one, queries, keys};
  Tensor mask = a.mask ? grownMask(op, a.mask, keys) : Tensor();
  Sizes maskSizes = mask ? op.sizes(mask) : Sizes();
  if (mask)
    for (int64_t d = 0; d < mask.rank() - 2; ++d)
      sizes[4 - mask.rank() + d] = maskSizes[d];
  if (a.validKeys)
    sizes[0] = op.size(a.q, 0);
  return op.generate(sizes, type, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, op.loc, type};
    Value value = s.constant(0), seen;
    auto restrict = [&](arith::CmpIPredicate predicate, Value x, Value y) {
      Value holds = nb.create<arith::CmpIOp>(op.loc, predicate, x, y);
      seen = seen ? nb.create<arith::AndIOp>(op.loc, seen, holds).getResult() : holds;
    };
    if (mask) {
      SmallVector<Value> place;
      for (int64_t d = 0; d < mask.rank(); ++d)
        place.push_back(constantOf(maskSizes[d]) == 1 ? nb.create<arith::ConstantIndexOp>(op.loc, 0).getResult()
                                                      : at[4 - mask.rank() + d]);
      Value element = nb.create<tensor::ExtractOp>(op.loc, mask.value, place);
      if (mask.element == ElementType::Bool)
        seen = element;
      else
        value = Scalars{nb, op.loc, mask.element}.castTo(type, widen(nb, op.loc, mask.element, element));
    }
    Value valid;
    if (a.validKeys) {
      valid = nb.create<arith::IndexCastOp>(op.loc, nb.getIndexType(),
                                            nb.create<tensor::ExtractOp>(op.loc, a.validKeys.value, at[0]));
      restrict(arith::CmpIPredicate::slt, at[3], valid);
    }
    if (causal || left >= 0 || right >= 0) {
      Value offset = toValue(nb, op.loc, a.past);
      if (valid && constantOf(a.past) == 0)
        offset = nb.create<arith::SubIOp>(op.loc, valid, toValue(nb, op.loc, queries));
      Value position = nb.create<arith::AddIOp>(op.loc, at[2], offset);
      auto moved = [&](int64_t by) -> Value {
        return nb.create<arith::AddIOp>(op.loc, position, nb.create<arith::ConstantIndexOp>(op.loc, by));
      };
      if (causal)
        restrict(arith::CmpIPredicate::sle, at[3], position);
      if (left >= 0)
        restrict(arith::CmpIPredicate::sge, at[3], moved(-left));
      if (right >= 0)
        restrict(arith::CmpIPredicate::sle, at[3], moved(right));
    }
    return seen ? s.select(seen, value, s.lowest()) : value;
  });
}

/// Query heads of one key head as its rows: [b, key heads, repeats * queries, size].
Tensor grouped(const Op &op, Tensor x, const Attention &a) {
  Sizes s = op.sizes(x);
  return op.reshape(x, {s[0], op.size(a.k, 1), mul(op.b, op.loc, a.repeats, s[2]), s[3]});
}

/// The mask for rows grouped so.
Tensor groupedMask(const Op &op, Tensor mask, const Attention &a) {
  Sizes s = op.sizes(mask), full = s;
  if (constantOf(a.repeats) == 1 || (constantOf(s[1]) == 1 && constantOf(s[2]) == 1)) // one row for all queries
    return mask;
  bool isOfAllHeads = constantOf(s[1]) == 1;
  full[1] = isOfAllHeads ? a.repeats : op.size(a.q, 1);
  mask = op.broadcastTo(mask, full);
  return op.reshape(mask, {s[0], isOfAllHeads ? s[1] : op.size(a.k, 1), mul(op.b, op.loc, a.repeats, s[2]), s[3]});
}

Tensor fusedAttention(const Op &op, const Attention &a, Tensor mask, double scale) {
  return attentionHeads(op, {grouped(op, a.q, a), a.k, a.v, mask ? groupedMask(op, mask, a) : mask, scale, true});
}

/// Softmax over the last dim; a row without any key that is seen gives zeros.
Tensor softmaxOfScores(const Op &op, Tensor x) {
  SmallVector<int64_t> last{x.rank() - 1};
  Tensor greatest = op.reduce(
      x, last, true, x.element, [](const Scalars &s) { return s.lowest(); },
      [](const Scalars &s, Value acc, Value v) { return s.max(acc, v); });
  Tensor powers = op.elementwise({x, greatest}, x.element, [](const Scalars &s, ValueRange v) {
    Value none = s.compare(Compare::Equal, v[1], s.lowest());
    return s.select(none, s.constant(0), exp(s, s.sub(v[0], v[1])));
  });
  Tensor sum = op.reduce(
      powers, last, true, x.element, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value v) { return s.add(acc, v); });
  return op.elementwise({powers, sum}, x.element, [](const Scalars &s, ValueRange v) {
    return s.select(s.compare(Compare::Equal, v[1], s.constant(0)), s.constant(0), s.div(v[0], v[1]));
  });
}

/// In steps, all visible: also sets `shown`, the fourth output.
FailureOr<Tensor> inSteps(Op &op, const Attention &a, Tensor mask, double scale, Tensor &shown) {
  ElementType type = a.q.element, wide = computedAs(type);
  if (op.integer("softmax_precision", 0) == static_cast<int64_t>(ElementType::Double))
    wide = ElementType::Double;
  double cap = op.real("softcap", 0);
  int64_t mode = op.integer("qk_matmul_output_mode", 0);
  Sizes all = op.sizes(a.q);
  all[3] = op.size(a.k, 2);
  Tensor q = op.elementwise({grouped(op, a.q, a)}, type,
                            [&](const Scalars &s, ValueRange v) { return s.mul(v[0], s.constant(scale)); });
  FailureOr<Tensor> product = matmul(op, q, a.k, false, true);
  if (failed(product))
    return failure();
  Tensor scores = op.cast(op.reshape(*product, all), wide);
  auto show = [&](int64_t which, Tensor x) {
    if (mode == which)
      shown = op.cast(x, type);
  };
  show(0, scores);
  if (cap > 0)
    scores = op.elementwise({scores}, wide, [&](const Scalars &s, ValueRange v) {
      return s.mul(tanh(s, s.div(v[0], s.constant(cap))), s.constant(cap));
    });
  if (mode == 0 && cap > 0)
    shown = op.cast(scores, type);
  show(1, scores);
  if (mask)
    scores = op.elementwise({scores, op.cast(mask, wide)}, wide,
                            [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  show(2, scores);
  Tensor p = softmaxOfScores(op, scores);
  show(3, p);
  FailureOr<Tensor> y = matmul(op, grouped(op, op.cast(p, a.v.element), a), a.v);
  return failed(y) ? y : FailureOr<Tensor>(op.cast(*y, type));
}

LogicalResult lowerAttention(Op &op) {
  FailureOr<Attention> a = readAttention(op);
  if (failed(a))
    return failure();
  std::optional<int64_t> size = constantOf(op.size(a->q, 3));
  if (!size)
    return op.fail(Code::ShapeNotConstant, "the size of a head is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  double scale = op.hasAttribute("scale") ? op.real("scale") : 1 / std::sqrt(static_cast<double>(*size));
  bool isDouble = a->q.element == ElementType::Double || a->v.element == ElementType::Double;
  bool steps = isDouble || op.wants(3) || op.real("softcap", 0) > 0 ||
               op.integer("softmax_precision", 0) == static_cast<int64_t>(ElementType::Double);
  Tensor mask = additiveMask(op, *a, isDouble ? ElementType::Double : ElementType::Float), shown;
  FailureOr<Tensor> y = steps ? inSteps(op, *a, mask, scale, shown) : fusedAttention(op, *a, mask, scale);
  if (failed(y))
    return failure();
  Sizes out = op.sizes(a->q);
  out[3] = op.size(a->v, 3);
  Tensor result = op.reshape(*y, out);
  if (a->rank3)
    result = mergedHeads(op, result);
  SmallVector<Tensor> results{result, a->k, a->v, shown};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_attention(Registry &registry) {
  std::string rule =
      "Q[N,A,S,E]|[N,S,X] K[N,G,T,E]|[N,T,Y] V[N,G,T,F]|[N,T,Z] rank(K)=rank(Q) rank(V)=rank(Q) A%G=0 "
      "q_num_heads%kv_num_heads=0 X%q_num_heads=0 X*kv_num_heads=Y*q_num_heads Z%kv_num_heads=0 past_key[N,G,P,E] "
      "past_value[N,G,P,F] has(past_key)=has(past_value) Y=E*kv_num_heads Y=E*G Z=F*kv_num_heads "
      "attn_mask[W]|[S|1,W]|[or(A,q_num_heads)|1,S|1,W]|[N|1,or(A,q_num_heads)|1,S|1,W] {has(past_key)}W<=T+P "
      "{has(past_key)=0}W<=T nonpad_kv_seqlen[N] is_causal=0|1 qk_matmul_output_mode=0|1|2|3 ";
  registry.onOp("Attention", {23, 24}, rule + "{q_num_heads}A=q_num_heads {kv_num_heads}G=kv_num_heads",
                lowerAttention);
  registry.onOp("Attention", {25},
                rule + "{rank(Q)=4}has(q_num_heads)=0 {rank(Q)=4}has(kv_num_heads)=0 left_window_size>=-1 "
                       "right_window_size>=-1",
                lowerAttention);
}

} // namespace sinter
