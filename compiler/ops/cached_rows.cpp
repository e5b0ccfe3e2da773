// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cached_rows.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sinter {

Tensor positionsOf(const Op &op, const Rows &rows, Size batch, Size steps) {
  return op.generate({batch, steps}, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
    Value past = b.create<tensor::ExtractOp>(op.loc, rows.past.value, i[0]);
    return b.create<arith::AddIOp>(op.loc, past, b.create<arith::IndexCastOp>(op.loc, past.getType(), i[1]));
  });
}

Value forEachMember(const Tensors &t, Size batch, Value cache, PutMemberFn put) {
  if (constantOf(batch) == 1)
    return put(t.b, cache, sizeOf(t.b, 0));
  Value zero = t.b.create<arith::ConstantIndexOp>(t.loc, 0), one = t.b.create<arith::ConstantIndexOp>(t.loc, 1);
  auto loop = t.b.create<scf::ForOp>(t.loc, zero, toValue(t.b, t.loc, batch), one, ValueRange{cache},
                                     [&](OpBuilder &b, Location, Value member, ValueRange carried) {
                                       b.create<scf::YieldOp>(t.loc, put(b, carried.front(), member));
                                     });
  return loop.getResult(0);
}

Tensor appended(const Op &op, Tensor past, Tensor fresh, const Rows &rows) {
  Sizes part = op.sizes(fresh), ones(part.size(), sizeOf(op.b, 1));
  Size batch = part[0], room = sub(op.b, op.loc, op.size(past, 2), part[2]);
  part[0] = sizeOf(op.b, 1);
  return {forEachMember(op, batch, past.value,
                        [&](OpBuilder &b, Value cache, Size member) -> Value {
                          Value count =
                              b.create<tensor::ExtractOp>(op.loc, rows.past.value, toValue(b, op.loc, member));
                          Value most = b.create<arith::AddIOp>(op.loc, toValue(b, op.loc, room),
                                                               b.create<arith::ConstantIndexOp>(op.loc, 1));
                          Value row =
                              b.create<CheckIndexOp>(op.loc, b.getIndexType(), count, most, b.getBoolAttr(false));
                          Sizes from(part.size(), sizeOf(b, 0)), to = from;
                          from[0] = to[0] = member;
                          to[2] = row;
                          Value own = Tensors{b, op.loc}.slice(fresh, from, part, ones).value;
                          return b.create<tensor::InsertSliceOp>(op.loc, own, cache, to, part, ones);
                        }),
          past.element};
}

LogicalResult turnByPosition(const Op &op, ArrayRef<Tensor *> turned, Tensor cosines, Tensor sines, Tensor positions) {
  std::optional<int64_t> half = constantOf(op.size(cosines, 1));
  if (!half)
    return op.fail(Code::ShapeNotConstant, "the size of 'cos_cache' is not known at compile time");
  NamedAttribute attributes[] = {op.param("interleaved", op.integer("rotary_interleaved")),
                                 op.param("rotary_embedding_dim", 2 * *half)};
  for (Tensor *x : turned) {
    auto made = op.call("RotaryEmbedding", 23, {*x, cosines, sines, positions}, attributes);
    if (failed(made))
      return failure();
    *x = (*made)[0];
  }
  return success();
}

} // namespace sinter
