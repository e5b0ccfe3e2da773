// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "token_choices.h"

#include "random.h"

using namespace mlir;

namespace sinter {

SmallVector<Tensor> SingleChoice::initial(Size vocabulary) {
  Value no = op.b.create<arith::ConstantOp>(op.loc, op.b.getBoolAttr(false));
  SmallVector<Tensor> state{op.filled({search.rows}, ElementType::Bool, no)};
  llvm::append_range(state, initialOwn(vocabulary));
  return state;
}

FailureOr<Chosen> SingleChoice::choose(Tensor logits, const Sequences &sequences, bool isFirst,
                                       ArrayRef<Tensor> state) {
  FailureOr<Tensor> scores = restricted(search, rules, logits, sequences, isFirst);
  if (failed(scores))
    return failure();
  Chosen chosen{{}, {}, SmallVector<Tensor>(state)};
  FailureOr<Tensor> picked = pick(*scores, sequences.count, MutableArrayRef(chosen.state).drop_front());
  if (failed(picked))
    return failure();
  Tensor ended = op.elementwise({*picked, state[0]}, ElementType::Bool, [&](const Scalars &s, ValueRange v) -> Value {
    return s.b.create<arith::OrIOp>(s.loc, v[1], s.compare(Compare::Equal, v[0], s.integer(search.end)));
  });
  chosen.state[0] = ended;
  chosen.tokens = op.elementwise({*picked, ended}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
    return s.select(v[1], s.integer(search.pad), v[0]);
  });
  return chosen;
}

Tensor SingleChoice::goesOn(ArrayRef<Tensor> state) {
  return anyOf(op, op.elementwise({state[0]}, ElementType::Bool, [](const Scalars &s, ValueRange v) -> Value {
    return s.b.create<arith::XOrIOp>(s.loc, v[0], s.b.create<arith::ConstantOp>(s.loc, s.b.getBoolAttr(true)));
  }));
}

FailureOr<Tensor> BestToken::pick(Tensor scores, Size, MutableArrayRef<Tensor>) {
  NamedAttribute attributes[] = {op.param("axis", int64_t(1)), op.param("keepdims", int64_t(0))};
  auto best = op.call("ArgMax", 13, scores, attributes);
  return failed(best) ? FailureOr<Tensor>() : op.cast((*best)[0], ElementType::Int32);
}

SmallVector<Tensor> DrawnToken::initialOwn(Size vocabulary) {
  if (!draw.keepsScores)
    return {};
  Value zero = Scalars{op.b, op.loc, ElementType::Float}.constant(0);
  return {op.filled({search.rows, vocabulary}, ElementType::Float, zero)};
}

/// Scores, of which those are `filterValue` that are not among the likeliest.
FailureOr<Tensor> DrawnToken::filtered(Tensor scores) const {
  OpBuilder &b = op.b;
  Size vocabulary = op.size(scores, 1);
  Sizes sizes = op.sizes(scores);
  SmallVector<Tensor> sorted = op.kernel(
      "topk", {scores}, {{sizes, scores.element}, {sizes, ElementType::Int64}, {{vocabulary}, ElementType::Int64}},
      {op.param("axis", int64_t(1)), op.param("largest", draw.isCustom)});
  auto shares = op.call("Softmax", 13, sorted[0], op.param("axis", int64_t(1)));
  if (failed(shares))
    return failure();
  auto sums = op.call("CumSum", 14, {(*shares)[0], op.scalar(ElementType::Int32, 1)});
  if (failed(sums))
    return failure();
  // Places from which on no token is left out but the first: so many remain at the least.
  Value kept = toValue(b, op.loc, sub(b, op.loc, vocabulary, sizeOf(b, draw.fewest)));
  Tensor remaining = op.generate(sizes, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Float};
    Value zero = b.create<arith::ConstantIndexOp>(op.loc, 0), one = b.create<arith::ConstantIndexOp>(op.loc, 1);
    auto at = [&](Tensor x, Value place) -> Value {
      return b.create<tensor::ExtractOp>(op.loc, x.value, ValueRange{i[0], place});
    };
    Value out, isFirst = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, i[1], zero);
    if (draw.isCustom) {
      Value before = b.create<arith::SelectOp>(op.loc, isFirst, zero, b.create<arith::SubIOp>(op.loc, i[1], one));
      Value isPast = s.compare(Compare::Greater, at((*sums)[0], before), s.constant(draw.topP));
      out = b.create<arith::AndIOp>(op.loc, isPast,
                                    b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::ne, i[1], zero));
    } else {
      Value mayGo = b.create<arith::OrIOp>(op.loc, isFirst,
                                           b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[1], kept));
      // The bound is a float, as the sums are.
      double bound = 1.0f - static_cast<float>(draw.topP);
      out = b.create<arith::AndIOp>(op.loc, mayGo,
                                    s.compare(Compare::LessOrEqual, at((*sums)[0], i[1]), s.constant(bound)));
    }
    return s.select(out, s.constant(draw.filterValue), at(sorted[0], i[1]));
  });
  auto placed = op.call("ScatterElements", 18, {scores, sorted[1], remaining}, op.param("axis", int64_t(1)));
  return failed(placed) ? FailureOr<Tensor>() : FailureOr<Tensor>((*placed)[0]);
}

FailureOr<Tensor> DrawnToken::pick(Tensor scores, Size count, MutableArrayRef<Tensor> state) {
  FailureOr<Tensor> left = filtered(scores);
  if (failed(left))
    return failure();
  if (draw.keepsScores)
    state[0] = *left;
  auto shares = op.call("Softmax", 13, *left, op.param("axis", int64_t(1)));
  if (failed(shares))
    return failure();
  auto sums = op.call("CumSum", 14, {(*shares)[0], op.scalar(ElementType::Int32, 1)});
  if (failed(sums))
    return failure();
  // The first token up to which the shares sum to more than what was drawn: as many as sum to no more stand before it.
  Size last = sub(op.b, op.loc, op.size(scores, 1), sizeOf(op.b, 1));
  Tensor before = op.generate(op.sizes(scores), ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Float}, integers{b, op.loc, ElementType::Int32};
    auto sumAt = [&](Value place) -> Value {
      return b.create<tensor::ExtractOp>(op.loc, (*sums)[0].value, ValueRange{i[0], place});
    };
    Value u = uniformAt(s, draw.seed, {search.most, search.rows}, {toValue(b, op.loc, count), i[0]});
    Value drawn = s.mul(u, sumAt(toValue(b, op.loc, last)));
    return integers.select(s.compare(Compare::LessOrEqual, sumAt(i[1]), drawn), integers.constant(1),
                           integers.constant(0));
  });
  return op.reduce(
      before, 1, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
}

} // namespace sinter
