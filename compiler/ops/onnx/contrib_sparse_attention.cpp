// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.SparseAttention: attention over a cache, of which a query sees those blocks up to itself that the
// layout of its head names (rows and columns as compressed sparse rows). New rows go behind the past, the rest of the
// cache stays. Source: onnxruntime's reference of contributed operators and its CPU kernel.
#include "ops/cached_rows.h"
#include "ops/size_relation.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// A prompt (all rows are new) begins the cache; else the new rows end what counts.
Rows sparseRowsOf(const Op &op, Tensor lengths, Size total, Size batch, Size steps) {
  auto make = [&](bool ofPast) {
    return op.generate(batch, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
      Scalars s{b, op.loc, ElementType::Int64};
      Value all = Scalars{b, op.loc, ElementType::Int32}.castTo(
          ElementType::Int64, b.create<tensor::ExtractOp>(op.loc, lengths.value, i[0]));
      if (!ofPast)
        return all;
      Value isNew = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), toValue(b, op.loc, steps));
      Value isPrompt = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, toValue(b, op.loc, total),
                                               toValue(b, op.loc, steps));
      return s.select(isPrompt, s.constant(0), s.sub(all, isNew));
    });
  };
  return {make(false), make(true)};
}

/// [layouts, rows * columns + 1], 1 for a block that is named; the last element is for columns that are padding.
FailureOr<Tensor> namedBlocks(Op &op, Tensor starts, Tensor columns, Size blocks) {
  Size layouts = op.size(starts, 0), count = op.size(columns, 1);
  Value all = toValue(op.b, op.loc, mul(op.b, op.loc, blocks, blocks));
  // The row of an entry: how many rows end at it or before.
  Tensor isBehind = op.generate({layouts, count, blocks}, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
    Value next = b.create<arith::AddIOp>(op.loc, i[2], b.create<arith::ConstantIndexOp>(op.loc, 1));
    Value end = b.create<tensor::ExtractOp>(op.loc, starts.value, ValueRange{i[0], next});
    Value place = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[1]);
    return b.create<arith::ExtUIOp>(op.loc, b.getI64Type(),
                                    b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sle, end, place));
  });
  Tensor rows = op.reduce(
      isBehind, 2, false, ElementType::Int64, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
  Tensor places = op.generate({layouts, count}, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
    Value row =
        b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), b.create<tensor::ExtractOp>(op.loc, rows.value, i));
    Value column =
        b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), b.create<tensor::ExtractOp>(op.loc, columns.value, i));
    Value width = toValue(b, op.loc, blocks), zero = b.create<arith::ConstantIndexOp>(op.loc, 0);
    auto holds = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
      return b.create<arith::CmpIOp>(op.loc, predicate, x, y);
    };
    Value inside = b.create<arith::AndIOp>(op.loc, holds(arith::CmpIPredicate::sge, column, zero),
                                           holds(arith::CmpIPredicate::slt, column, width));
    inside = b.create<arith::AndIOp>(op.loc, inside, holds(arith::CmpIPredicate::slt, row, width));
    Value place = b.create<arith::AddIOp>(op.loc, b.create<arith::MulIOp>(op.loc, row, width), column);
    return b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), b.create<arith::SelectOp>(op.loc, inside, place, all));
  });
  Scalars s{op.b, op.loc, ElementType::Float};
  Size room = add(op.b, op.loc, mul(op.b, op.loc, blocks, blocks), sizeOf(op.b, 1));
  Tensor none = op.filled({layouts, room}, ElementType::Float, s.constant(0));
  Tensor ones = op.filled({layouts, count}, ElementType::Float, s.constant(1));
  auto named = op.call("ScatterElements", 18, {none, places, ones}, op.param("axis", int64_t(1)));
  return failed(named) ? FailureOr<Tensor>(failure()) : FailureOr<Tensor>((*named)[0]);
}

/// [batch, heads, steps, length]: 0 for a key that a query sees, else the least number.
Tensor maskOf(Op &op, const Rows &rows, Tensor named, Size blocks, ArrayRef<Size> sizes) {
  int64_t width = op.integer("sparse_block_size");
  Size layouts = op.size(named, 0);
  return op.generate(sizes, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Float};
    Value past = b.create<arith::IndexCastOp>(op.loc, b.getIndexType(),
                                              b.create<tensor::ExtractOp>(op.loc, rows.past.value, i[0]));
    Value position = b.create<arith::AddIOp>(op.loc, past, i[2]);
    Value block = b.create<arith::ConstantIndexOp>(op.loc, width);
    Value row = b.create<CheckIndexOp>(op.loc, b.getIndexType(), b.create<arith::DivSIOp>(op.loc, position, block),
                                       toValue(b, op.loc, blocks), b.getBoolAttr(false));
    Value column = b.create<CheckIndexOp>(op.loc, b.getIndexType(), b.create<arith::DivUIOp>(op.loc, i[3], block),
                                          toValue(b, op.loc, blocks), b.getBoolAttr(false));
    Value layout = b.create<arith::RemUIOp>(op.loc, i[1], toValue(b, op.loc, layouts));
    Value place =
        b.create<arith::AddIOp>(op.loc, b.create<arith::MulIOp>(op.loc, row, toValue(b, op.loc, blocks)), column);
    Value isNamed = s.compare(
        Compare::Greater, b.create<tensor::ExtractOp>(op.loc, named.value, ValueRange{layout, place}), s.constant(0));
    Value isBefore = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sle, i[3], position);
    return s.select(b.create<arith::AndIOp>(op.loc, isNamed, isBefore), s.constant(0), s.lowest());
  });
}

LogicalResult lowerContribSparseAttention(Op &op) {
  Tensor query = op.input(0), pastKey = op.input(3), pastValue = op.input(4), starts = op.input(5);
  int64_t heads = op.integer("num_heads"), keyHeads = op.integer("kv_num_heads"),
          width = op.integer("sparse_block_size");
  bool isPacked = !op.has(1);
  Size batch = op.size(query, 0), steps = op.size(query, 1), length = op.size(pastKey, 2), size = op.size(pastKey, 3);
  auto packed = [&](int64_t first, int64_t count) {
    auto times = [&](int64_t n) { return mul(op.b, op.loc, size, sizeOf(op.b, n)); };
    return partOf(op, query, 2, times(first), times(count));
  };
  Tensor q = splitHeads(op, isPacked ? packed(0, heads) : query, heads);
  Tensor k = splitHeads(op, isPacked ? packed(heads, keyHeads) : op.input(1), keyHeads);
  Tensor v = splitHeads(op, isPacked ? packed(heads + keyHeads, keyHeads) : op.input(2), keyHeads);
  FailureOr<Sizes> total = op.elements(7, "total_sequence_length");
  if (failed(total))
    return failure();
  Rows rows = sparseRowsOf(op, op.input(8), (*total)[0], batch, steps);
  if (op.integer("do_rotary")) {
    if (!op.has(9) || !op.has(10))
      return op.fail(Code::ShapeMismatch, "do_rotary needs 'cos_cache' and 'sin_cache'");
    if (failed(turnByPosition(op, {&q, &k}, op.input(9), op.input(10), positionsOf(op, rows, batch, steps))))
      return failure();
  }
  k = appended(op, pastKey, k, rows);
  v = appended(op, pastValue, v, rows);
  Size blocks = sub(op.b, op.loc, op.size(starts, 1), sizeOf(op.b, 1));
  if (failed(mustHold(op, relationHolds(op, "<=", length, mul(op.b, op.loc, blocks, sizeOf(op.b, width))),
                      "the cache is longer than the blocks of 'block_row_indices'")))
    return failure();
  FailureOr<Tensor> named = namedBlocks(op, starts, op.input(6), blocks);
  if (failed(named))
    return failure();
  Tensor mask = maskOf(op, rows, *named, blocks, {batch, sizeOf(op.b, heads), steps, length});
  SmallVector<NamedAttribute> attributes;
  if (op.real("scale") != 0)
    attributes.push_back(op.b.getNamedAttr("scale", op.b.getF32FloatAttr(static_cast<float>(op.real("scale")))));
  auto y = op.call("Attention", 23, {q, k, v, op.cast(mask, q.element)}, attributes);
  if (failed(y))
    return failure();
  SmallVector<Tensor> results{mergedHeads(op, (*y)[0]), k, v};
  results.resize(op.outputCount());
  return op.results(results);
}
} // namespace

void register_contrib_sparse_attention(Registry &registry) {
  registry.onOp("SparseAttention", {1},
                "query[N,S,D] S>=1 key[N,S,X] value[N,S,X] has(key)=has(value) num_heads>=1 kv_num_heads>=1 "
                "num_heads%kv_num_heads=0 past_key[N,kv_num_heads,P,E] past_value[N,kv_num_heads,P,E] S<=P "
                "{has(key)=1}D=E*num_heads {has(key)=1}X=E*kv_num_heads {has(key)=0}D=E*(num_heads+2*kv_num_heads) "
                "block_row_indices[L,R] L>=1 R>=2 num_heads%L=0 block_col_indices[L,_] total_sequence_length[]|[1] "
                "key_total_sequence_lengths[N] cos_cache[C,F] sin_cache[C,F] 2*F<=E sparse_block_size>=1",
                lowerContribSparseAttention, "com.microsoft");
}

} // namespace sinter
