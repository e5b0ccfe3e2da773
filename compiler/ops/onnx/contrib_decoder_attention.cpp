// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.DecoderMaskedMultiHeadAttention: attention of one new row, whose key and value go into a buffer of the
// past (past_present_share_buffer) or behind it; with beams, each row of the past is that of the beam which it came
// from. Of another sequence (rank 4) keys and values are as they are. Source: onnxruntime's CPU kernel.
#include "ops/heads_attention.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// The buffer [n, heads, length, size] with the new row in place `row`.
Tensor withRow(Op &op, Tensor buffer, Tensor fresh, Value row) {
  Sizes to(4, sizeOf(op.b, 0)), ones(4, sizeOf(op.b, 1));
  to[2] = row;
  return {op.b.create<tensor::InsertSliceOp>(op.loc, fresh.value, buffer.value, to, op.sizes(fresh), ones),
          buffer.element};
}

/// Rows of the past as each beam has them: `origins` [batch, beams, length] says for each row which beam of the same
/// member it is from. The row behind the past is the beam's own.
Tensor ofBeams(Op &op, Tensor rows, Tensor origins, Value past) {
  Size members = op.size(rows, 0), beams = op.size(origins, 1);
  return op.generate(op.sizes(rows), rows.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Value width = toValue(b, op.loc, beams);
    Value member = b.create<arith::DivUIOp>(op.loc, i[0], width), beam = b.create<arith::RemUIOp>(op.loc, i[0], width);
    Value isPast = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[2], past);
    Value origin = b.create<tensor::ExtractOp>(op.loc, origins.value, ValueRange{member, beam, i[2]});
    Value chosen =
        b.create<arith::SelectOp>(op.loc, isPast, b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), origin), beam);
    Value inside = b.create<CheckIndexOp>(op.loc, b.getIndexType(), chosen, width, b.getBoolAttr(false));
    Value source = b.create<arith::AddIOp>(op.loc, b.create<arith::SubIOp>(op.loc, i[0], beam), inside);
    Value held =
        b.create<CheckIndexOp>(op.loc, b.getIndexType(), source, toValue(b, op.loc, members), b.getBoolAttr(false));
    return b.create<tensor::ExtractOp>(op.loc, rows.value, ValueRange{held, i[1], i[2], i[3]});
  });
}

LogicalResult lower(Op &op) {
  int64_t heads = op.integer("num_heads");
  Tensor query = op.input(0), bias = op.has(10) ? op.input(10) : Tensor();
  bool isPacked = !op.has(1), isCross = !isPacked && op.input(1).rank() == 4, hasPast = op.has(5);
  bool isShared = op.integer("past_present_share_buffer") != 0;
  if (isCross && (hasPast || op.wants(1) || op.wants(2)))
    return op.unsupported("keys of another sequence together with a past");
  if (!isCross && isPacked && op.has(2))
    return op.fail(Code::ShapeMismatch, "'value' is given and 'key' is not");
  if (isShared && hasPast && !op.has(7))
    return op.fail(Code::ShapeMismatch, "past_present_share_buffer needs 'past_sequence_length'");
  if (op.has(9) && (isCross || !hasPast || !isShared))
    return op.unsupported("cache_indirection without a shared buffer of the past");
  Size width = isPacked ? floorDiv(op.b, op.loc, op.size(query, 2), 3) : op.size(query, 2);
  auto part = [&](unsigned i) -> Tensor { // of queries, keys, values, with heads apart
    Size first = mul(op.b, op.loc, width, sizeOf(op.b, int64_t(i)));
    Tensor x = isPacked ? partOf(op, query, 2, first, width) : op.input(i);
    return splitHeads(op, bias ? sumOf(op, {x, partOf(op, bias, 0, first, width)}) : x, heads);
  };
  Heads a;
  a.q = part(0);
  a.k = isCross ? op.input(1) : part(1);
  a.v = isCross ? op.input(2) : part(2);
  a.mask = op.has(3) ? op.input(3) : Tensor();
  a.bias = op.has(4) ? op.input(4) : Tensor();
  Tensor presentKey, presentValue;
  if (hasPast && !isShared) {
    a.pastKey = op.input(5);
    a.pastValue = op.input(6);
  } else if (hasPast) {
    FailureOr<Sizes> past = op.elements(7, "past_sequence_length");
    if (failed(past))
      return failure();
    Size room = op.size(op.input(5), 2);
    Value row = op.b.create<CheckIndexOp>(op.loc, op.b.getIndexType(), toValue(op.b, op.loc, (*past)[0]),
                                          toValue(op.b, op.loc, room), op.b.getBoolAttr(false));
    presentKey = withRow(op, op.input(5), a.k, row);
    presentValue = withRow(op, op.input(6), a.v, row);
    Size none = sizeOf(op.b, 0), count = within(op, add(op.b, op.loc, row, sizeOf(op.b, 1)), room);
    a.k = partOf(op, presentKey, 2, none, count);
    a.v = partOf(op, presentValue, 2, none, count);
    if (op.has(9)) {
      if (failed(mustHold(op, relationHolds(op, "<=", count, op.size(op.input(9), 2)),
                          "'cache_indirection' has fewer rows than the past and the new one")))
        return failure();
      a.k = ofBeams(op, a.k, op.input(9), row);
      a.v = ofBeams(op, a.v, op.input(9), row);
    }
  }
  auto made = attentionOfHeads(op, a, false, op.wants(3));
  if (failed(made))
    return failure();
  SmallVector<Tensor> results{mergedHeads(op, (*made)[0]), presentKey ? presentKey : (*made)[1],
                              presentValue ? presentValue : (*made)[2], (*made)[3]};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_contrib_decoder_attention(Registry &registry) {
  registry.onOp("DecoderMaskedMultiHeadAttention", {1},
                "query[N,1,W] key[N,1,W]|[N,num_heads,L,E] value[N,1,W]|[N,num_heads,L,E] rank(value)=rank(key) "
                "{has(key)}has(value)=1 num_heads>=1 {has(key)}W=E*num_heads {has(key)}W%num_heads=0 "
                "{has(key)=0}W%(3*num_heads)=0 {has(key)=0}W=3*E*num_heads mask_index[N,_] "
                "attention_bias[N|1,num_heads|1,1,_] past_key[N,num_heads,P,E] past_value[N,num_heads,P,E] "
                "has(past_key)=has(past_value) past_sequence_length[]|[1] beam_width[]|[1] "
                "cache_indirection[G,B,_] G*B=N {has(key)}bias[3*W]|{has(key)=0}[W] past_present_share_buffer=0|1",
                lower, "com.microsoft");
}

} // namespace sinter
