// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.GroupQueryAttention: rows of new keys (turned by their position) and values go behind those of the past
// in caches [batch, key heads, length, size]; then ONNX's Attention over the caches. For member b of a batch of S new
// rows, seqlens_k[b] + 1 rows count in all, so that max(seqlens_k[b] + 1 - S, 0) are of the past. Source:
// onnxruntime's reference of contributed operators and its CPU kernel. A cache that is a state and keeps its length is
// the buffer that onnxruntime calls shared: new rows are written into it, and what lies behind them stays as it was.
#include "ops/cached_rows.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"
#include "ops/states.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

Rows queryRowsOf(const Op &op, Size batch, Size steps) {
  Tensor lengths = op.reshape(op.input(5), batch);
  auto make = [&](bool ofPast) {
    return op.generate(batch, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
      Scalars s{b, op.loc, ElementType::Int64};
      Value length = Scalars{b, op.loc, ElementType::Int32}.castTo(
          ElementType::Int64, b.create<tensor::ExtractOp>(op.loc, lengths.value, i[0]));
      Value isNew = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), toValue(b, op.loc, steps));
      Value all = s.max(s.add(length, s.constant(1)), isNew);
      return ofPast ? s.sub(all, isNew) : all;
    });
  };
  return {make(false), make(true)};
}

/// The cache of `length` rows: those of the past, the new ones behind them, zeros. `past` may be none.
Tensor cached(const Op &op, Tensor past, Tensor fresh, const Rows &rows, Size length) {
  Sizes sizes = op.sizes(fresh);
  Size steps = sizes[2];
  sizes[2] = length;
  Size held = past ? op.size(past, 2) : sizeOf(op.b, 0);
  int64_t rowAxis[] = {2};
  Tensor old = past ? neverEmpty(op, past, rowAxis) : Tensor(), own = neverEmpty(op, fresh, rowAxis);
  return op.generate(sizes, fresh.element, [&](OpBuilder &b, ValueRange i) -> Value {
    auto number = [&](int64_t n) -> Value { return b.create<arith::ConstantIndexOp>(op.loc, n); };
    auto isLess = [&](Value x, Value y) -> Value {
      return b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, x, y);
    };
    auto select = [&](Value c, Value x, Value y) -> Value { return b.create<arith::SelectOp>(op.loc, c, x, y); };
    Value count = b.create<tensor::ExtractOp>(op.loc, rows.past.value, i[0]);
    // What the call says of the past lies within the cache that it gives; 0 where it gives none.
    Value most = b.create<arith::AddIOp>(op.loc, toValue(b, op.loc, held), number(1));
    Value before = b.create<CheckIndexOp>(op.loc, b.getIndexType(), count, most, b.getBoolAttr(false));
    Value behind = b.create<arith::SubIOp>(op.loc, i[2], before), zero = number(0);
    Value isOld = isLess(i[2], before), isInside = isLess(behind, toValue(b, op.loc, steps));
    Scalars s{b, op.loc, fresh.element};
    auto read = [&](Tensor x, Value row) -> Value {
      return b.create<tensor::ExtractOp>(op.loc, x.value, ValueRange{i[0], i[1], row, i[3]});
    };
    Value isNew = b.create<arith::AndIOp>(op.loc, isInside,
                                          b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, behind, zero));
    Value none = narrow(b, op.loc, fresh.element, s.constant(0));
    Value value = select(isNew, read(own, select(isNew, behind, zero)), none);
    return old ? select(isOld, read(old, select(isOld, i[2], zero)), value) : value;
  });
}

/// The cache of a state that grows: the rows of the past, of each member its new ones where they belong, and zeros
/// behind them. What append_states.cpp makes of it writes no row that stays.
Tensor grown(const Op &op, Tensor past, Tensor fresh, const Rows &rows, Size length) {
  Sizes part = op.sizes(fresh), rest = part, ones(part.size(), sizeOf(op.b, 1));
  Size batch = part[0], steps = part[2];
  rest[2] = sub(op.b, op.loc, length, op.size(past, 2));
  Tensor cache = op.concat({past, op.empty(rest, past.element)}, 2);
  part[0] = rest[0] = sizeOf(op.b, 1);
  Value most = toValue(op.b, op.loc, add(op.b, op.loc, sub(op.b, op.loc, length, steps), sizeOf(op.b, 1)));
  return {forEachMember(op, batch, cache.value,
                        [&](OpBuilder &b, Value into, Size member) -> Value {
                          Tensors t{b, op.loc};
                          Value count =
                              b.create<tensor::ExtractOp>(op.loc, rows.past.value, toValue(b, op.loc, member));
                          Value row =
                              b.create<CheckIndexOp>(op.loc, b.getIndexType(), count, most, b.getBoolAttr(false));
                          Sizes from(part.size(), sizeOf(b, 0)), to = from;
                          from[0] = to[0] = member;
                          to[2] = row;
                          Value own = t.slice(fresh, from, part, ones).value;
                          into = b.create<tensor::InsertSliceOp>(op.loc, own, into, to, part, ones);
                          to[2] = add(b, op.loc, row, steps);
                          Sizes behind = rest;
                          behind[2] = within(t, sub(b, op.loc, length, to[2]), length);
                          Value none = narrow(b, op.loc, past.element, Scalars{b, op.loc, past.element}.constant(0));
                          Value zeros = t.filled(behind, past.element, none).value;
                          return b.create<tensor::InsertSliceOp>(op.loc, zeros, into, to, behind, ones);
                        }),
          past.element};
}

/// Fails for what nothing here computes.
LogicalResult checkForm(const Op &op) {
  if (op.integer("sliding_window_cache"))
    return op.unsupported("caches of a sliding window, of which rows are lost",
                          "--decoder holds all of them; GenAI's builder with windowed_kv_cache=false exports so");
  if (op.string("k_quant_type", "NONE") != "NONE" || op.string("v_quant_type", "NONE") != "NONE" || op.has(12) ||
      op.has(13))
    return op.unsupported("quantized caches", "export with caches of T");
  if (op.has(14) || op.has(15) || op.wants(3))
    return op.unsupported("norms of queries and keys, or the output 'output_qk'");
  return success();
}

/// What softmax also sums, beside the keys: a number for each head ('head_sink'), or 0 for all (smooth_softmax).
bool hasSink(const Op &op) { return op.has(11) || op.integer("smooth_softmax", -1) > 0; }

/// A row of zeros in front of [batch, heads, length, size]: a key whose score is what the mask says, and its value.
Tensor withSinkRow(const Op &op, Tensor x) {
  Sizes one = op.sizes(x);
  one[2] = sizeOf(op.b, 1);
  Value zero = narrow(op.b, op.loc, x.element, Scalars{op.b, op.loc, x.element}.constant(0));
  return op.concat({op.filled(one, x.element, zero), x}, 2);
}

/// [batch, heads, steps, 1 + length]: what is added to scores. The first key is the sink; of the others a query sees
/// those that count, are not behind it (where causal), and lie in its window; `bias` (or none) is added to them.
Tensor maskWithSink(const Op &op, const Rows &rows, int64_t heads, Size steps, Size length, Tensor bias) {
  int64_t window = op.integer("local_window_size", -1);
  bool isCausal = op.integer("causal", 1) != 0;
  Size batch = op.size(rows.valid, 0);
  int64_t keyAxis[] = {3};
  Tensor added = bias ? neverEmpty(op, bias, keyAxis) : Tensor();
  Sizes biasSizes = added ? op.sizes(bias) : Sizes();
  Sizes sizes{batch, sizeOf(op.b, heads), steps, add(op.b, op.loc, length, sizeOf(op.b, 1))};
  return op.generate(sizes, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Float};
    auto number = [&](int64_t n) -> Value { return b.create<arith::ConstantIndexOp>(op.loc, n); };
    auto holds = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
      return b.create<arith::CmpIOp>(op.loc, predicate, x, y);
    };
    auto count = [&](Tensor x) -> Value {
      return b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), b.create<tensor::ExtractOp>(op.loc, x.value, i[0]));
    };
    Value isSink = holds(arith::CmpIPredicate::eq, i[3], number(0));
    Value key = b.create<arith::SubIOp>(op.loc, i[3], number(1));
    Value position = b.create<arith::AddIOp>(op.loc, count(rows.past), i[2]);
    Value seen = holds(arith::CmpIPredicate::slt, key, count(rows.valid));
    auto restrict = [&](arith::CmpIPredicate predicate, Value bound) {
      seen = b.create<arith::AndIOp>(op.loc, seen, holds(predicate, key, bound));
    };
    if (isCausal)
      restrict(arith::CmpIPredicate::sle, position);
    if (window > 0)
      restrict(arith::CmpIPredicate::sgt, b.create<arith::SubIOp>(op.loc, position, number(window)));
    Value value = s.constant(0);
    if (added) {
      SmallVector<Value> place{i[0], i[1], i[2], b.create<arith::SelectOp>(op.loc, isSink, number(0), key)};
      Value named = holds(arith::CmpIPredicate::slt, place[3], toValue(b, op.loc, biasSizes[3]));
      place[3] = b.create<arith::SelectOp>(op.loc, named, place[3], number(0));
      for (int64_t d = 0; d < 2; ++d)
        place[d] = constantOf(biasSizes[d]) == 1 ? number(0) : place[d];
      value = widen(b, op.loc, added.element, b.create<tensor::ExtractOp>(op.loc, added.value, place));
      seen = b.create<arith::AndIOp>(op.loc, seen, named);
    }
    Value sink = op.has(11) ? widen(b, op.loc, op.input(11).element,
                                    b.create<tensor::ExtractOp>(op.loc, op.input(11).value, i[1]))
                            : s.constant(0);
    return s.select(isSink, sink, s.select(seen, value, s.lowest()));
  });
}

LogicalResult lowerContribGroupQueryAttention(Op &op) {
  if (failed(checkForm(op)))
    return failure();
  Tensor query = op.input(0);
  int64_t heads = op.integer("num_heads"), keyHeads = op.integer("kv_num_heads");
  bool isPacked = !op.has(1), hasPast = op.has(3) && op.has(4);
  int64_t inQuery = isPacked ? heads + 2 * keyHeads : heads;
  Size batch = op.size(query, 0), steps = op.size(query, 1);
  Size size = floorDiv(op.b, op.loc, op.size(query, 2), inQuery);
  auto width = [&](int64_t n) { return mul(op.b, op.loc, size, sizeOf(op.b, n)); };
  auto packed = [&](int64_t first, int64_t count) { return partOf(op, query, 2, width(first), width(count)); };
  Tensor q = splitHeads(op, isPacked ? packed(0, heads) : query, heads);
  Tensor k = splitHeads(op, isPacked ? packed(heads, keyHeads) : op.input(1), keyHeads);
  Tensor v = splitHeads(op, isPacked ? packed(heads + keyHeads, keyHeads) : op.input(2), keyHeads);

  Rows rows = queryRowsOf(op, batch, steps);
  if (op.integer("do_rotary")) {
    if (!op.has(7) || !op.has(8))
      return op.fail(Code::ShapeMismatch, "do_rotary needs 'cos_cache' and 'sin_cache'");
    Tensor positions = op.has(9) ? op.input(9) : positionsOf(op, rows, batch, steps);
    if (failed(turnByPosition(op, {&q, &k}, op.input(7), op.input(8), positions)))
      return failure();
  }

  FailureOr<Sizes> total = op.elements(6, "total_sequence_length");
  if (failed(total))
    return failure();
  Size length = hasPast ? maximum(op.b, op.loc, op.size(op.input(3), 2), (*total)[0]) : (*total)[0];
  Sizes cache{batch, sizeOf(op.b, keyHeads), length, size};
  FailureOr<Sizes> bounded = boundedSizes(op, cache, 1);
  if (failed(bounded))
    return failure();
  auto withNewRows = [&](unsigned past, unsigned present, Tensor fresh) {
    if (!hasPast)
      return cached(op, {}, fresh, rows, (*bounded)[2]);
    Tensor old = op.input(past);
    bool isState = op.wants(present) && isStateOf(op.node->getResult(present), op.node.getInputs()[past]);
    if (isState && sameSize(op.size(old, 2), (*bounded)[2]))
      return appended(op, old, fresh, rows);
    return isState ? grown(op, old, fresh, rows, (*bounded)[2]) : cached(op, old, fresh, rows, (*bounded)[2]);
  };
  k = withNewRows(3, 1, k);
  v = withNewRows(4, 2, v);

  int64_t window = op.integer("local_window_size", -1);
  SmallVector<NamedAttribute> attributes;
  if (!hasSink(op)) {
    attributes.push_back(op.param("is_causal", op.integer("causal", 1)));
    attributes.push_back(op.param("left_window_size", window > 0 ? window - 1 : -1));
  }
  for (StringRef name : {"scale", "softcap"})
    if (op.real(name) != 0)
      attributes.push_back(op.b.getNamedAttr(name, op.b.getF32FloatAttr(static_cast<float>(op.real(name)))));
  Tensor bias = op.inputOrNone(10);
  if (bias && failed(mustHold(op, relationHolds(op, "<=", op.size(bias, 3), (*bounded)[2]),
                              "'attention_bias' has more keys than the cache")))
    return failure();
  auto y = hasSink(op) ? op.call("Attention", 25,
                                 {q, withSinkRow(op, k), withSinkRow(op, v),
                                  op.cast(maskWithSink(op, rows, heads, steps, (*bounded)[2], bias), q.element)},
                                 attributes)
                       : op.call("Attention", 25, {q, k, v, bias, {}, {}, rows.valid}, attributes);
  if (failed(y))
    return failure();
  SmallVector<Tensor> results{mergedHeads(op, (*y)[0]), k, v, {}};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_contrib_group_query_attention(Registry &registry) {
  registry.onOp(
      "GroupQueryAttention", {1},
      "query[N,S,D] key[N,S,X] value[N,S,X] num_heads>=1 kv_num_heads>=1 num_heads%kv_num_heads=0 "
      "{has(key)=1}D%num_heads=0 {has(key)=1}X*num_heads=D*kv_num_heads has(key)=has(value) "
      "{has(key)=0}D%(num_heads+2*kv_num_heads)=0 past_key[N,kv_num_heads,P,E] past_value[N,kv_num_heads,P,E] "
      "has(past_key)=has(past_value) {has(key)=1}D=E*num_heads {has(key)=0}D=E*(num_heads+2*kv_num_heads) "
      "seqlens_k[N]|[N,1] total_sequence_length[]|[1] cos_cache[C,R] sin_cache[C,R] position_ids[N,S] "
      "attention_bias[N|1,num_heads|1,S,_] head_sink[num_heads] k_scale[_*] v_scale[_*] q_norm_weight[_] "
      "k_norm_weight[_] causal=0|1",
      lowerContribGroupQueryAttention, "com.microsoft");
}

} // namespace sinter
