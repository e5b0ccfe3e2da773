// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RotaryEmbedding: pairs of elements of a head, neighbours or halves apart, turned by the angle of their position.
#include "ops/norms.h"

using namespace mlir;

namespace sinter {
namespace {

LogicalResult lowerRotaryEmbedding(Op &op) {
  Tensor x = op.input(0), cosines = op.input(1), sines = op.input(2), positions = op.inputOrNone(3);
  Sizes original = op.sizes(x);
  int64_t heads = op.integer("num_heads", 0);
  if (x.rank() != 4 && (x.rank() != 3 || heads < 1))
    return op.fail(Code::ShapeMismatch, "the input has neither rank 4 nor rank 3 with num_heads");
  bool headsFirst = x.rank() == 4; // [b, heads, s, size], else [b, s, heads, size]
  if (!headsFirst)
    x = op.reshape(x, {original[0], original[1], sizeOf(op.b, heads), floorDiv(op.b, op.loc, original[2], heads)});
  std::optional<int64_t> size = constantOf(op.size(x, 3));
  if (!size)
    return op.fail(Code::ShapeNotConstant, "the size of a head is not known at compile time",
                   "give the dim that it depends on: --dim NAME=N");
  int64_t turned = op.integer("rotary_embedding_dim", 0), cacheRank = positions ? 2 : 3;
  turned = turned ? turned : *size;
  if (turned < 0 || turned > *size || turned % 2 || cosines.rank() != cacheRank || sines.rank() != cacheRank ||
      constantOf(op.size(cosines, cacheRank - 1)).value_or(turned / 2) != turned / 2)
    return op.fail(Code::ShapeMismatch,
                   "the caches do not have half of the " + Twine(turned) + " elements that are turned");
  bool interleaved = op.integer("interleaved", 0) != 0;
  Size steps = op.size(cosines, 0);
  Tensor y = op.generate(op.sizes(x), x.element, [&](OpBuilder &nb, ValueRange at) -> Value {
    Scalars s{nb, op.loc, computedAs(x.element)};
    auto number = [&](int64_t v) -> Value { return nb.create<arith::ConstantIndexOp>(op.loc, v); };
    auto isLess = [&](Value v, Value w) -> Value {
      return nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, v, w);
    };
    auto choose = [&](Value c, Value v, Value w) -> Value { return nb.create<arith::SelectOp>(op.loc, c, v, w); };
    Value d = at[3], pair, isFirst, partner;
    if (interleaved) {
      pair = nb.create<arith::DivUIOp>(op.loc, d, number(2));
      isFirst = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq,
                                         nb.create<arith::RemUIOp>(op.loc, d, number(2)), number(0));
      partner = choose(isFirst, nb.create<arith::AddIOp>(op.loc, d, number(1)),
                       nb.create<arith::SubIOp>(op.loc, d, number(1)));
    } else {
      isFirst = isLess(d, number(turned / 2));
      Value behind = nb.create<arith::SubIOp>(op.loc, d, number(turned / 2));
      pair = choose(isFirst, d, behind);
      partner = choose(isFirst, nb.create<arith::AddIOp>(op.loc, d, number(turned / 2)), behind);
    }
    Value isTurned = isLess(d, number(turned));
    if (turned < *size) {
      pair = choose(isTurned, pair, number(0));
      partner = choose(isTurned, partner, d);
    }
    Value step = headsFirst ? at[2] : at[1];
    SmallVector<Value> place{at[0], step, pair};
    if (positions) {
      Value position = nb.create<tensor::ExtractOp>(op.loc, positions.value, ValueRange{at[0], step});
      place = {nb.create<CheckIndexOp>(op.loc, nb.getIndexType(), position, toValue(nb, op.loc, steps), true), pair};
    } else if (constantOf(steps) == 1) {
      place[0] = number(0);
    }
    auto read = [&](Tensor t, ValueRange where) {
      return widen(nb, op.loc, t.element, nb.create<tensor::ExtractOp>(op.loc, t.value, where));
    };
    SmallVector<Value> other(at);
    other[3] = partner;
    Value own = read(x, at), sine = read(sines, place);
    Value rotated = s.add(s.mul(read(cosines, place), own), s.mul(choose(isFirst, s.neg(sine), sine), read(x, other)));
    return narrow(nb, op.loc, x.element, turned < *size ? choose(isTurned, rotated, own) : rotated);
  });
  return op.result(op.reshape(y, original));
}
} // namespace

void register_rotary_embedding(Registry &registry) {
  registry.onOp("RotaryEmbedding", {23},
                "X[N,_,S,E]|[N,S,Z] cos_cache[P,S,R]|{has(position_ids)}[P,R] "
                "sin_cache[P,S,R]|{has(position_ids)}[P,R] position_ids[N,S] {has(position_ids)=0}P=N|1 "
                "interleaved=0|1 num_heads>=0 "
                "Z%num_heads=0 rotary_embedding_dim>=0 {rotary_embedding_dim}2*R=rotary_embedding_dim "
                "{rotary_embedding_dim=0}2*R=E {rotary_embedding_dim=0}2*R*num_heads=Z",
                lowerRotaryEmbedding);
}

} // namespace sinter
