// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "heads_attention.h"
#include "runtime_sizes.h"
#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {
/// A mask of integers as what is added to scores, [batch, 1, queries or 1, keys]: a number above 0 is a key that is
/// seen. [batch] holds where the seen keys end; [2 batch] then also where they begin; [batch, 1, max, max] is read at
/// the queries' own places.
FailureOr<Tensor> addedMask(Op &op, Tensor mask, const Heads &a, Size past) {
  Size batch = op.size(a.q, 0), queries = op.size(a.q, 2), one = sizeOf(op.b, 1);
  Size keys = add(op.b, op.loc, op.size(a.k, 2), past);
  double hidden = op.real("mask_filter_value", -10000);
  bool isBounds = mask.rank() == 1, hasStarts = false;
  if (isBounds) {
    hasStarts = sameSize(op.size(mask, 0), mul(op.b, op.loc, batch, sizeOf(op.b, 2)));
    if (!hasStarts && failed(mustBeEqual(op, op.size(mask, 0), batch,
                                         "a mask of one dim has as many elements as the batch, or twice as many")))
      return failure();
  } else if (mask.rank() < 4 &&
             failed(mustBeEqual(op, op.size(mask, mask.rank() - 1), keys, "the mask's last dim is not that of keys"))) {
    return failure();
  }
  if (mask.rank() == 4 && failed(mustHold(op, relationHolds(op, "<=", keys, op.size(mask, 3)),
                                          "the mask's last dims are shorter than the keys")))
    return failure();
  bool perQuery = mask.rank() >= 3;
  return op.generate({batch, one, perQuery ? queries : one, keys}, ElementType::Float, [&](OpBuilder &b, ValueRange i) {
    Scalars s{b, op.loc, ElementType::Float};
    auto read = [&](ValueRange place) -> Value { return b.create<tensor::ExtractOp>(op.loc, mask.value, place); };
    Value seen;
    if (isBounds) {
      auto bound = [&](Value place) -> Value {
        return b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), read(place));
      };
      seen = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[3], bound(i[0]));
      if (hasStarts) {
        Value start = bound(b.create<arith::AddIOp>(op.loc, i[0], toValue(b, op.loc, batch)));
        seen = b.create<arith::AndIOp>(op.loc, seen,
                                       b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, i[3], start));
      }
    } else {
      SmallVector<Value> place{i[0]};
      if (mask.rank() == 4)
        place.push_back(i[1]);
      if (mask.rank() == 3)
        place.push_back(i[2]);
      if (mask.rank() == 4)
        place.push_back(b.create<arith::AddIOp>(op.loc, i[2], toValue(b, op.loc, past)));
      place.push_back(i[3]);
      Scalars integers{b, op.loc, mask.element};
      seen = integers.compare(Compare::Greater, read(place), integers.constant(0));
    }
    return s.select(seen, s.constant(0), s.constant(hidden));
  });
}

} // namespace

FailureOr<SmallVector<Tensor>> attentionOfHeads(Op &op, const Heads &a, bool isCausal, bool showsScores) {
  Size past = a.pastKey ? op.size(a.pastKey, 2) : sizeOf(op.b, 0);
  Size keys = add(op.b, op.loc, op.size(a.k, 2), past);
  Tensor added;
  if (a.mask) {
    FailureOr<Tensor> mask = addedMask(op, a.mask, a, past);
    if (failed(mask))
      return failure();
    added = op.cast(*mask, a.q.element);
  }
  if (a.bias && failed(mustBeEqual(op, op.size(a.bias, 3), keys, "'attention_bias' has another number of keys")))
    return failure();
  if (a.bias)
    added = added ? sumOf(op, {added, a.bias}) : a.bias;
  SmallVector<Tensor> operands{a.q, a.k, a.v, added, a.pastKey, a.pastValue};
  while (!operands.back())
    operands.pop_back();
  SmallVector<NamedAttribute> attributes{op.param("is_causal", int64_t(isCausal))};
  if (op.real("scale") != 0)
    attributes.push_back(op.b.getNamedAttr("scale", op.b.getF32FloatAttr(static_cast<float>(op.real("scale")))));
  if (showsScores) // as they go into softmax
    attributes.push_back(op.param("qk_matmul_output_mode", int64_t(2)));
  auto made = op.call("Attention", 23, operands, attributes, showsScores ? 4 : 3);
  if (succeeded(made))
    made->resize(4);
  return made;
}

} // namespace sinter
