// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_past.h"

#include "runtime_sizes.h"
#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

/// The buffer [n, heads, length, size] with new rows from place `row` on.
Tensor withRows(Op &op, Tensor buffer, Tensor fresh, Size row) {
  Sizes to(4, sizeOf(op.b, 0)), ones(4, sizeOf(op.b, 1));
  to[2] = row;
  return {op.b.create<tensor::InsertSliceOp>(op.loc, fresh.value, buffer.value, to, op.sizes(fresh), ones),
          buffer.element};
}

/// Rows of the past as each beam has them: `origins` [batch, beams, length] says for each row which beam of the same
/// member it is from. Rows behind the past are the beam's own.
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

/// Where the first of `fresh` new rows goes: what was said of the past, held to a buffer with room for all of them.
FailureOr<Size> pastPlaceOf(Op &op, Size past, Size fresh, Size room) {
  OpBuilder &b = op.b;
  if (!dependsOnData(past)) {
    if (failed(mustHold(op, relationHolds(op, "<=", add(b, op.loc, past, fresh), room),
                        "the buffer of the past has no room for the new rows")))
      return failure();
    return past;
  }
  auto held = [&](Size index) -> Value {
    return b.create<CheckIndexOp>(op.loc, b.getIndexType(), toValue(b, op.loc, index), toValue(b, op.loc, room),
                                  b.getBoolAttr(false));
  };
  Size others = sub(b, op.loc, fresh, sizeOf(b, 1));
  Value last = held(add(b, op.loc, past, others));
  return within(op, Size(held(sub(b, op.loc, last, others))), room);
}
} // namespace

FailureOr<std::pair<Tensor, Tensor>> putIntoPast(Op &op, Heads &a, const SharedPast &past) {
  OpBuilder &b = op.b;
  FailureOr<Sizes> length = op.elements(past.length, "past_sequence_length");
  if (failed(length))
    return failure();
  Size room = op.size(past.key, 2), fresh = op.size(a.k, 2), none = sizeOf(b, 0);
  FailureOr<Size> placed = pastPlaceOf(op, (*length)[0], fresh, room);
  if (failed(placed))
    return failure();
  Size row = *placed;
  Tensor key = withRows(op, past.key, a.k, row), value = withRows(op, past.value, a.v, row);
  Size count = past.staysApart ? row : within(op, add(b, op.loc, row, fresh), room);
  Tensor keys = partOf(op, key, 2, none, count), values = partOf(op, value, 2, none, count);
  if (op.has(past.origins)) {
    if (failed(mustHold(op, relationHolds(op, "<=", count, op.size(op.input(past.origins), 2)),
                        "'cache_indirection' has fewer rows than the past and the new one")))
      return failure();
    keys = ofBeams(op, keys, op.input(past.origins), toValue(b, op.loc, row));
    values = ofBeams(op, values, op.input(past.origins), toValue(b, op.loc, row));
  }
  (past.staysApart ? a.pastKey : a.k) = keys;
  (past.staysApart ? a.pastValue : a.v) = values;
  return std::pair(key, value);
}

} // namespace sinter
