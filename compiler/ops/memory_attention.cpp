// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_attention.h"

#include "contraction.h"
#include "math.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {

static Tensor checkedMemoryLengths(const Op &op, Tensor lengths, Size most) {
  Value end = toValue(op.b, op.loc, most);
  return op.elementwise({lengths}, lengths.element, [&](const Scalars &s, ValueRange v) -> Value {
    Value last = s.sub(v[0], s.constant(1)); // which is one of the entries
    Value checked = s.b.create<CheckIndexOp>(s.loc, s.b.getIndexType(), last, end, false);
    return s.add(s.b.create<arith::IndexCastOp>(s.loc, v[0].getType(), checked), s.constant(1));
  });
}

MemoryAttention::MemoryAttention(Op &op, Tensor entries, Tensor keyWeights, Tensor query, Tensor v, Tensor lengths,
                                 Tensor layer)
    : keys(*matmul(op, entries, keyWeights)), entries(entries), query(query), v(v),
      lengths(lengths ? checkedMemoryLengths(op, lengths, op.size(entries, 1)) : Tensor()), layer(layer) {}

Tensor MemoryAttention::of(Op &op, Tensor state) const {
  Tensor asked = op.unsqueeze(*matmul(op, state, query), {1});
  Tensor products = op.elementwise({keys, asked, v}, keys.element, [](const Scalars &s, ValueRange x) {
    return s.mul(x[2], tanh(s, s.add(x[0], x[1])));
  });
  Tensor scores = op.reduce(
      products, {2}, false, keys.element, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value x) { return s.add(acc, x); });
  if (lengths) {
    Tensor all = lengths, given = scores;
    scores = op.generate(op.sizes(given), given.element, [&](OpBuilder &b, ValueRange i) -> Value {
      Value length = b.create<arith::IndexCastOp>(op.loc, b.getIndexType(),
                                                  b.create<tensor::ExtractOp>(op.loc, all.value, i[0]).getResult());
      Value counts = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[1], length);
      Value score = b.create<tensor::ExtractOp>(op.loc, given.value, i);
      Value nothing = narrow(b, op.loc, given.element, Scalars{b, op.loc, given.element}.lowest());
      return b.create<arith::SelectOp>(op.loc, counts, score, nothing);
    });
  }
  Tensor weights = (*op.call("Softmax", 13, scores, op.param("axis", int64_t(-1))))[0];
  Tensor context = op.squeeze(*matmul(op, op.unsqueeze(weights, {1}), entries), {1});
  if (!layer)
    return context;
  Size fromState = op.size(state, 1);
  auto rows = [&](Size first, Size count) { return partOf(op, layer, 0, first, count); };
  return sumOf(op, {*matmul(op, state, rows(sizeOf(op.b, 0), fromState)),
                    *matmul(op, context, rows(fromState, op.size(context, 1)))});
}

} // namespace sinter
