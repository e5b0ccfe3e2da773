// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft: Attention, DecoderMaskedSelfAttention (one row, with beams), QAttention (projected by a product of
// integers) and MultiHeadAttention, in terms of ONNX's Attention on [batch, heads, sequence, size]; masks of integers
// become what is added to scores. RotaryEmbedding and MRotaryEmbedding, in terms of ONNX's. Semantics: onnxruntime's
// reference of contributed operators, and its CPU kernels where that is silent. Keys in shared buffers lie as values
// do; GPU kernels of onnxruntime have an order of their own there, which its searches make and undo.
#include "ops/domains.h"
#include "ops/quantized_contractions.h"
#include "ops/shared_past.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {
/// Attention of queries, keys and values side by side [batch, sequence, `hidden` of each]; a mask, a past
/// [2, batch, heads, length, size] and a bias may be none. The past is a buffer for what is made of it where
/// `isShared`.
LogicalResult attentionOfPacked(Op &op, Tensor qkv, ArrayRef<Size> hidden, Tensor mask, Tensor past, Tensor bias,
                                bool isShared = false) {
  int64_t heads = op.integer("num_heads");
  Tensor parts[3];
  Size first = sizeOf(op.b, 0);
  for (int64_t i = 0; i < 3; ++i) {
    parts[i] = splitHeads(op, partOf(op, qkv, 2, first, hidden[i]), heads);
    first = add(op.b, op.loc, first, hidden[i]);
  }
  Heads a{parts[0], parts[1], parts[2], {}, {}, mask, bias};
  Tensor keys, values; // what the present is made of
  if (past) {
    a.pastKey = entryOf(op, past, 0, sizeOf(op.b, 0));
    a.pastValue = entryOf(op, past, 0, sizeOf(op.b, 1));
  }
  if (past && isShared) {
    auto presents = putIntoPast(op, a, {a.pastKey, a.pastValue, /*length=*/6, /*origins=*/8, /*staysApart=*/true});
    if (failed(presents))
      return failure();
    std::tie(keys, values) = *presents;
  }
  auto made = attentionOfHeads(op, a, op.integer("unidirectional"), false);
  if (failed(made))
    return failure();
  Tensor present;
  if (op.wants(1))
    present = op.concat({op.unsqueeze(keys ? keys : (*made)[1], 0), op.unsqueeze(values ? values : (*made)[2], 0)}, 0);
  SmallVector<Tensor> results{mergedHeads(op, (*made)[0]), present};
  results.resize(op.outputCount());
  return op.results(results);
}

template <bool oneRow>
LogicalResult attentionOfInput(Op &op) {
  if (op.integer("do_rotary"))
    return op.unsupported("do_rotary", "export without it");
  bool isShared = oneRow || op.integer("past_present_share_buffer") != 0;
  if (isShared && op.has(4) && !op.has(6))
    return op.fail(Code::ShapeMismatch, "past_present_share_buffer needs 'past_sequence_length'");
  Tensor x = op.input(0), weights = op.input(1);
  SmallVector<int64_t> stated = op.integers("qkv_hidden_sizes");
  Sizes hidden;
  for (int64_t i = 0; i < 3; ++i)
    hidden.push_back(stated.empty() ? floorDiv(op.b, op.loc, op.size(weights, 1), 3)
                                    : sizeOf(op.b, stated[static_cast<size_t>(i)]));
  auto product = op.call("MatMul", 13, {x, weights});
  if (failed(product))
    return failure();
  Tensor qkv = op.has(2) ? sumOf(op, {(*product)[0], op.input(2)}) : (*product)[0];
  return attentionOfPacked(op, qkv, hidden, op.inputOrNone(3), op.inputOrNone(4), op.inputOrNone(5), isShared);
}

LogicalResult quantizedAttention(Op &op) {
  if (op.integer("do_rotary") || op.integer("past_present_share_buffer"))
    return op.unsupported("do_rotary or past_present_share_buffer", "export without them");
  FailureOr<Tensor> sums = quantizedMatmul(op, op.input(0), op.inputOrNone(6), op.input(1), op.inputOrNone(7));
  if (failed(sums))
    return failure();
  Tensor bias = op.input(2);
  Tensor qkv = scaledSums(op, *sums, op.input(3), op.input(4), bias, bias.element);
  Sizes hidden(3, floorDiv(op.b, op.loc, op.size(op.input(1), 1), 3));
  return attentionOfPacked(op, qkv, hidden, op.inputOrNone(5), op.inputOrNone(8), {});
}

/// [b, s, heads, n, size]: member `index` of n, as [b, heads, s, size].
Tensor member(const Op &op, Tensor packed, int64_t index) {
  return op.transpose(entryOf(op, packed, 3, sizeOf(op.b, index)), {0, 2, 1, 3});
}

LogicalResult multiHeadAttention(Op &op) {
  if (op.has(8) && !op.has(6))
    return op.fail(Code::ShapeMismatch, "'past_sequence_length' is given and 'past_key' is not");
  if (op.has(9) && !op.has(8))
    return op.unsupported("cache_indirection without a shared buffer of the past", "give past_sequence_length");
  int64_t heads = op.integer("num_heads");
  Tensor query = op.input(0), bias = op.inputOrNone(3);
  Size first = sizeOf(op.b, 0);
  auto biased = [&](Tensor x) { // [b, s, heads * size]
    if (!bias)
      return splitHeads(op, x, heads);
    Size width = op.size(x, 2);
    Tensor own = partOf(op, bias, 0, first, width);
    first = add(op.b, op.loc, first, width);
    return splitHeads(op, sumOf(op, {x, own}), heads);
  };
  Heads a;
  if (query.rank() == 5) {
    if (bias || op.has(1) || op.has(2))
      return op.unsupported("packed queries, keys and values together with others or a bias");
    a.q = member(op, query, 0);
    a.k = member(op, query, 1);
    a.v = member(op, query, 2);
  } else if (!op.has(1)) {
    return op.fail(Code::ShapeMismatch, "'key' is left out though 'query' is not packed");
  } else {
    Tensor key = op.input(1);
    a.q = biased(query);
    if (key.rank() == 5) {
      a.k = member(op, key, 0);
      a.v = member(op, key, 1);
    } else if (!op.has(2) || op.input(2).rank() != key.rank()) {
      return op.fail(Code::ShapeMismatch, "'value' has not the rank of 'key'");
    } else if (key.rank() == 4) { // of another sequence, with heads already
      a.k = key;
      a.v = op.input(2);
    } else {
      a.k = biased(key);
      a.v = biased(op.input(2));
    }
  }
  a.mask = op.inputOrNone(4);
  a.bias = op.inputOrNone(5);
  Tensor presentKey, presentValue;
  bool isCausal = op.integer("unidirectional") != 0;
  if (op.has(8)) {
    auto presents = putIntoPast(op, a, {op.input(6), op.input(7), /*length=*/8, /*origins=*/9, isCausal});
    if (failed(presents))
      return failure();
    std::tie(presentKey, presentValue) = *presents;
  } else if (op.has(6)) {
    a.pastKey = op.input(6);
    a.pastValue = op.input(7);
  }
  auto made = attentionOfHeads(op, a, isCausal, op.wants(3));
  if (failed(made))
    return failure();
  SmallVector<Tensor> results{mergedHeads(op, (*made)[0]), presentKey ? presentKey : (*made)[1],
                              presentValue ? presentValue : (*made)[2], (*made)[3]};
  results.resize(op.outputCount());
  return op.results(results);
}

/// The attributes of ONNX's operator; the number of heads follows from sizes where the node has none.
FailureOr<SmallVector<NamedAttribute>> rotaryAttributes(Op &op) {
  Tensor x = op.input(0);
  if (op.integer("is_packed_batching"))
    return op.unsupported("is_packed_batching");
  int64_t heads = op.integer("num_heads");
  if (x.rank() == 3 && !heads) {
    std::optional<int64_t> half = constantOf(op.size(op.input(2), 1)), width = constantOf(op.size(x, 2));
    if (!half || !width || *half == 0 || *width % (2 * *half))
      return op.fail(Code::ShapeNotConstant, "the number of heads follows from sizes that are not known",
                     "state num_heads");
    heads = *width / (2 * *half);
  }
  return SmallVector<NamedAttribute>{op.param("interleaved", op.integer("interleaved")), op.param("num_heads", heads),
                                     op.param("rotary_embedding_dim", op.integer("rotary_embedding_dim"))};
}

LogicalResult rotaryEmbedding(Op &op) {
  Tensor x = op.input(0), positions = op.input(1), cosines = op.input(2);
  auto attributes = rotaryAttributes(op);
  if (failed(attributes))
    return failure();
  Size batch = op.size(x, 0), steps = op.size(x, x.rank() == 4 ? 2 : 1);
  if (positions.rank() == 1) { // where the first step stands
    Tensor start = positions;
    positions = op.generate({batch, steps}, start.element, [&](OpBuilder &b, ValueRange i) -> Value {
      Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0);
      Value first = b.create<tensor::ExtractOp>(op.loc, start.value, zero);
      return b.create<arith::AddIOp>(op.loc, first, b.create<arith::IndexCastOp>(op.loc, first.getType(), i[1]));
    });
  }
  auto y = op.call("RotaryEmbedding", 23, {x, cosines, op.input(3), positions}, *attributes);
  return failed(y) ? failure() : op.result((*y)[0]);
}

/// Rows of a cache [P, R] by three streams of positions, of which each has its own part of R: one behind the other, or
/// in turn as far as each goes, the rest being the first's.
Tensor mixedRows(Op &op, Tensor cache, Tensor positions) {
  SmallVector<int64_t> sections = op.integers("mrope_section");
  bool inTurn = op.integer("mrope_layout") == 1;
  Size rows = op.size(cache, 0);
  return op.generate(
      {op.size(positions, 1), op.size(positions, 2), op.size(cache, 1)}, cache.element,
      [&](OpBuilder &b, ValueRange i) -> Value {
        auto number = [&](int64_t n) -> Value { return b.create<arith::ConstantIndexOp>(op.loc, n); };
        auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
          return b.create<arith::CmpIOp>(op.loc, predicate, x, y);
        };
        auto belongs = [&](int64_t stream) -> Value {
          if (!inTurn)
            return compare(arith::CmpIPredicate::sge, i[2],
                           number(stream == 1 ? sections[0] : sections[0] + sections[1]));
          Value turn =
              compare(arith::CmpIPredicate::eq, b.create<arith::RemUIOp>(op.loc, i[2], number(3)), number(stream));
          Value within = compare(arith::CmpIPredicate::slt, i[2], number(3 * sections[size_t(stream)]));
          return b.create<arith::AndIOp>(op.loc, turn, within);
        };
        Value second = b.create<arith::SelectOp>(op.loc, belongs(1), number(1), number(0));
        Value stream = b.create<arith::SelectOp>(op.loc, belongs(2), number(2), second);
        Value position = b.create<tensor::ExtractOp>(op.loc, positions.value, ValueRange{stream, i[0], i[1]});
        Value row = b.create<CheckIndexOp>(op.loc, b.getIndexType(), position, toValue(b, op.loc, rows), false);
        return b.create<tensor::ExtractOp>(op.loc, cache.value, ValueRange{row, i[2]});
      });
}

LogicalResult mixedRotaryEmbedding(Op &op) {
  auto attributes = rotaryAttributes(op);
  if (failed(attributes))
    return failure();
  if (op.real("scale", 1) != 1)
    return op.unsupported("a scale other than 1");
  Tensor positions = op.input(1);
  Tensor operands[] = {op.input(0), mixedRows(op, op.input(2), positions), mixedRows(op, op.input(3), positions)};
  auto y = op.call("RotaryEmbedding", 23, operands, *attributes);
  return failed(y) ? failure() : op.result((*y)[0]);
}
} // namespace

void register_contrib_attention(Registry &registry) {
  registry.onOp("Attention", {1},
                "input[N,S,D] weights[D,W] {has(qkv_hidden_sizes)}W=sum(qkv_hidden_sizes) "
                "{has(qkv_hidden_sizes)=0}W%(3*num_heads)=0 bias[W] past_sequence_length[]|[1] "
                "qkv_hidden_sizes[3] qkv_hidden_sizes>=1 qkv_hidden_sizes%num_heads=0 num_heads>=1 "
                "mask_index[_]|[N,_]|[N,S,_]|[N,1,M,M] past[2,N,num_heads,_,_] attention_bias[N|1,num_heads|1,S,_]",
                attentionOfInput<false>, microsoftDomain);
  registry.onOp("DecoderMaskedSelfAttention", {1},
                "input[N,1,D] weights[D,W] W%(3*num_heads)=0 bias[W] num_heads>=1 mask_index[N,_] "
                "past[2,N,num_heads,_,_] attention_bias[N|1,num_heads|1,1,_] past_sequence_length[]|[1] "
                "beam_width[]|[1] cache_indirection[C,B,_] C*B=N past_present_share_buffer=1",
                attentionOfInput<true>, microsoftDomain);
  registry.onOp("QAttention", {1},
                "input[N,S,D] weight[D,W] W%(3*num_heads)=0 bias[W] input_scale[]|[1] weight_scale[]|[1|W] "
                "mask_index[_]|[N,_]|[N,S,_]|[N,1,M,M] input_zero_point[]|[1] weight_zero_point[]|[1|W] num_heads>=1 "
                "past[2,N,num_heads,_,_]",
                quantizedAttention, microsoftDomain);
  registry.onOp("MultiHeadAttention", {1},
                "query[N,S,D]|[N,S,num_heads,3,E] key[N,L,D]|[N,L,num_heads,2,E]|[N,num_heads,L,E] "
                "value[N,L,F]|[N,num_heads,L,G] num_heads>=1 D%num_heads=0 F%num_heads=0 D=E*num_heads bias[2*D+F] "
                "key_padding_mask[_]|[N,_]|[N,S,_] attention_bias[N|1,num_heads|1,S,_] past_key[N,num_heads,P,E] "
                "past_value[N,num_heads,P,G] F=G*num_heads has(past_key)=has(past_value) "
                "past_sequence_length[]|[1] cache_indirection[C,B,_] C*B=N",
                multiHeadAttention, microsoftDomain);
  registry.onOp("RotaryEmbedding", {1},
                "input[N,_,S,E]|[N,S,Z] position_ids[1]|[N,S] cos_cache[P,R] sin_cache[P,R] interleaved=0|1 "
                "num_heads>=0 Z%num_heads=0 rotary_embedding_dim>=0 {rotary_embedding_dim}2*R=rotary_embedding_dim "
                "{rotary_embedding_dim=0}2*R=E {rotary_embedding_dim=0}2*R*num_heads=Z",
                rotaryEmbedding, microsoftDomain);
  registry.onOp("MRotaryEmbedding", {1},
                "input[N,_,S,E]|[N,S,Z] position_ids[3,N,S] cos_cache[P,R] sin_cache[P,R] interleaved=0|1 "
                "num_heads>=0 Z%num_heads=0 rotary_embedding_dim>=0 {rotary_embedding_dim}2*R=rotary_embedding_dim "
                "{rotary_embedding_dim=0}2*R=E {rotary_embedding_dim=0}2*R*num_heads=Z mrope_section[3] "
                "mrope_section>=0 sum(mrope_section)=R mrope_layout=0|1",
                mixedRotaryEmbedding, microsoftDomain);
}

} // namespace sinter
