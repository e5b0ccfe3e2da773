// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.DecoderMaskedMultiHeadAttention: attention of one new row, whose key and value go into a buffer of the
// past (past_present_share_buffer) or behind it; with beams, each row of the past is that of the beam which it came
// from. Of another sequence (rank 4) keys and values are as they are. Source: onnxruntime's CPU kernel.
#include "ops/shared_past.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerContribDecoderAttention(Op &op) {
  int64_t heads = op.integer("num_heads");
  Tensor query = op.input(0), bias = op.inputOrNone(10);
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
  a.mask = op.inputOrNone(3);
  a.bias = op.inputOrNone(4);
  Tensor presentKey, presentValue;
  if (hasPast && !isShared) {
    a.pastKey = op.input(5);
    a.pastValue = op.input(6);
  } else if (hasPast) {
    auto presents = putIntoPast(op, a, {op.input(5), op.input(6), /*length=*/7, /*origins=*/9});
    if (failed(presents))
      return failure();
    std::tie(presentKey, presentValue) = *presents;
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
                lowerContribDecoderAttention, "com.microsoft");
}

} // namespace sinter
