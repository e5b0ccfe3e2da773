// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "beam_search.h"

#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {
constexpr double unlikely = -1e9; ///< of beams but the first, so that not all begin with the same token

/// Where the choice's state has what.
enum BeamState { BeamScores, HypothesisTokens, HypothesisScores, HypothesisCount, Done, KeptScores };

Hypotheses hypothesesIn(ArrayRef<Tensor> state) {
  return {state[HypothesisTokens], state[HypothesisScores], state[HypothesisCount]};
}

Value negated(OpBuilder &b, Location loc, Value truth) {
  return b.create<arith::XOrIOp>(loc, truth, b.create<arith::ConstantOp>(loc, b.getBoolAttr(true)));
}
} // namespace

SmallVector<Tensor> BeamChoice::initial(Size vocabulary) {
  OpBuilder &b = op.b;
  Size beams = sizeOf(b, search.beams);
  SmallVector<Tensor> state{
      op.generate({search.batch, beams}, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
        Scalars s{b, op.loc, ElementType::Float};
        Value isFirst = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, i[1],
                                                b.create<arith::ConstantIndexOp>(op.loc, 0));
        return s.select(isFirst, s.constant(0), s.constant(unlikely));
      })};
  llvm::append_range(state, hypotheses.none());
  state.push_back(
      op.filled({search.batch}, ElementType::Bool, b.create<arith::ConstantOp>(op.loc, b.getBoolAttr(false))));
  if (keepsScores)
    state.push_back(op.filled({sub(b, op.loc, search.most, search.length), search.batch, beams, vocabulary},
                              ElementType::Float, Scalars{b, op.loc, ElementType::Float}.constant(0)));
  return state;
}

/// Sums of log-probabilities [rows, vocabulary] of each continuation.
FailureOr<Tensor> BeamChoice::totals(Tensor logits, const Sequences &sequences, bool isFirst, Tensor beamScores) {
  auto shares = op.call("LogSoftmax", 13, logits, op.param("axis", int64_t(1)));
  if (failed(shares))
    return failure();
  if (isFirst)
    firstShares = shares->front();
  FailureOr<Tensor> allowed = restricted(search, rules, shares->front(), sequences, isFirst);
  if (failed(allowed))
    return failure();
  if (failed(mustHold(op, relationHolds(op, ">=", op.size(*allowed, 1), sizeOf(op.b, 2)),
                      "a beam search chooses among fewer than two tokens")))
    return failure();
  return sumOf(op, {*allowed, op.reshape(beamScores, {search.rows, sizeOf(op.b, 1)})});
}

BeamChoice::Candidates BeamChoice::likeliest(Tensor totals) const {
  OpBuilder &b = op.b;
  Size vocabulary = op.size(totals, 1), all = mul(b, op.loc, vocabulary, sizeOf(b, search.beams));
  Sizes sizes{search.batch, sizeOf(b, 2 * search.beams)};
  SmallVector<Tensor> top =
      op.kernel("topk", {op.reshape(totals, {search.batch, all})},
                {{sizes, ElementType::Float}, {sizes, ElementType::Int64}, {{all}, ElementType::Int64}},
                {op.param("axis", int64_t(1)), op.param("largest", true)});
  Value length = b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), toValue(b, op.loc, vocabulary));
  Tensor beams =
      op.elementwise({top[1]}, ElementType::Int64, [&](const Scalars &s, ValueRange v) { return s.div(v[0], length); });
  Tensor tokens = op.elementwise({top[1], beams}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
    return s.castTo(ElementType::Int32, s.sub(v[0], s.mul(v[1], length)));
  });
  Tensor isEnd = op.elementwise({tokens}, ElementType::Bool, [&](const Scalars &s, ValueRange v) {
    return s.compare(Compare::Equal, v[0], s.integer(search.end));
  });
  return {top[0], tokens, beams, isEnd};
}

/// [batch, beams]: places of the first candidates that do not end. There are enough: a beam has one end.
Tensor BeamChoice::continuing(const Candidates &candidates) const {
  Size beams = sizeOf(op.b, search.beams);
  // How many candidates in front of each go on.
  Sizes pairs{search.batch, sizeOf(op.b, 2 * search.beams), sizeOf(op.b, 2 * search.beams)};
  Tensor before = op.generate(pairs, ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Value isEnd = b.create<tensor::ExtractOp>(op.loc, candidates.isEnd.value, ValueRange{i[0], i[2]});
    Value isBefore = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[2], i[1]);
    return b.create<arith::ExtUIOp>(op.loc, b.getI32Type(),
                                    b.create<arith::AndIOp>(op.loc, isBefore, negated(b, op.loc, isEnd)));
  });
  Tensor order = op.reduce(
      before, 2, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
  Tensor matches =
      op.generate({search.batch, sizeOf(op.b, 2 * search.beams), beams}, ElementType::Int64,
                  [&](OpBuilder &b, ValueRange i) -> Value {
                    Scalars s{b, op.loc, ElementType::Int64};
                    auto at = [&](Tensor x) -> Value {
                      return b.create<tensor::ExtractOp>(op.loc, x.value, ValueRange{i[0], i[1]});
                    };
                    Value place = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[2]);
                    Value isIt = b.create<arith::AndIOp>(
                        op.loc, negated(b, op.loc, at(candidates.isEnd)),
                        b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, at(order), place));
                    return s.select(isIt, b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), i[1]), s.constant(0));
                  });
  return op.reduce(
      matches, 1, false, ElementType::Int64, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value most, Value v) { return s.max(most, v); });
}

/// from[member, places[member, i]], of members that are done `fallback`.
Tensor BeamChoice::pickedOr(Tensor from, Tensor places, Tensor done, int64_t fallback) const {
  return op.generate(op.sizes(places), from.element, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, from.element};
    Value place =
        b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), b.create<tensor::ExtractOp>(op.loc, places.value, i));
    Value held = b.create<CheckIndexOp>(op.loc, b.getIndexType(), place, toValue(b, op.loc, op.size(from, 1)),
                                        b.getBoolAttr(false));
    Value isDone = b.create<tensor::ExtractOp>(op.loc, done.value, i.front());
    return s.select(isDone, s.constant(double(fallback)),
                    b.create<tensor::ExtractOp>(op.loc, from.value, ValueRange{i[0], held}));
  });
}

/// onnxruntime looks for a member's best candidate in `2 * beams` of all members' from place `beams * member` on.
Tensor BeamChoice::nowDone(const Candidates &candidates, const Hypotheses &known, Size count, Tensor done) const {
  OpBuilder &b = op.b;
  Size beams = sizeOf(b, search.beams), twice = sizeOf(b, 2 * search.beams);
  Tensor all = op.reshape(candidates.scores, {mul(b, op.loc, search.batch, twice)});
  Tensor seen = op.generate({search.batch, twice}, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Value from = b.create<arith::MulIOp>(op.loc, i[0], toValue(b, op.loc, beams));
    return b.create<tensor::ExtractOp>(op.loc, all.value, b.create<arith::AddIOp>(op.loc, from, i[1]).getResult());
  });
  Tensor best = op.reduce(
      seen, 1, false, ElementType::Float, [](const Scalars &s) { return s.lowest(); },
      [](const Scalars &s, Value most, Value v) { return s.max(most, v); });
  Tensor worst = entryOf(op, known.scores, 1, sizeOf(b, search.beams - 1));
  return op.elementwise({best, worst, known.used, done}, ElementType::Bool,
                        [&](const Scalars &s, ValueRange v) -> Value {
                          Scalars integers{s.b, s.loc, ElementType::Int32};
                          Value isFull = integers.compare(Compare::Equal, v[2], integers.integer(search.beams));
                          if (!stopsEarly) {
                            Value improves = s.compare(Compare::Less, v[1], hypotheses.normalized(s, v[0], count));
                            isFull = s.b.create<arith::AndIOp>(s.loc, isFull, negated(s.b, s.loc, improves));
                          }
                          return s.b.create<arith::OrIOp>(s.loc, v[3], isFull);
                        });
}

FailureOr<Chosen> BeamChoice::choose(Tensor logits, const Sequences &sequences, bool isFirst, ArrayRef<Tensor> state) {
  OpBuilder &b = op.b;
  Size beams = sizeOf(b, search.beams);
  FailureOr<Tensor> sums = totals(logits, sequences, isFirst, state[BeamScores]);
  if (failed(sums))
    return failure();
  Candidates candidates = likeliest(*sums);
  Tensor done = state[Done];

  // Ends among the first `beams` candidates are hypotheses.
  Tensor rows = op.generate(
      {search.batch, sizeOf(b, 2 * search.beams)}, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
        Value first = b.create<arith::MulIOp>(op.loc, i[0], toValue(b, op.loc, beams));
        return b.create<arith::AddIOp>(op.loc, b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), first),
                                       b.create<tensor::ExtractOp>(op.loc, candidates.beams.value, i));
      });
  Size none = sizeOf(b, 0);
  Tensor isHypothesis = op.elementwise({partOf(op, candidates.isEnd, 1, none, beams), op.unsqueeze(done, 1)},
                                       ElementType::Bool, [&](const Scalars &s, ValueRange v) -> Value {
                                         return s.b.create<arith::AndIOp>(s.loc, v[0], negated(s.b, s.loc, v[1]));
                                       });
  Hypotheses known = hypotheses.with(
      hypothesesIn(state),
      {partOf(op, candidates.scores, 1, none, beams), isHypothesis, partOf(op, rows, 1, none, beams)}, sequences);

  Tensor places = continuing(candidates);
  Chosen chosen;
  Tensor scores = pickedOr(candidates.scores, places, done, 0);
  chosen.tokens = op.reshape(pickedOr(candidates.tokens, places, done, search.pad), search.rows);
  chosen.origins = op.reshape(pickedOr(rows, places, done, 0), search.rows);
  chosen.state = {scores, known.tokens, known.scores, known.used, nowDone(candidates, known, sequences.count, done)};
  if (keepsScores) {
    Size vocabulary = op.size(*sums, 1), step = sub(b, op.loc, sequences.count, search.length);
    Tensor own = op.reshape(*sums, {sizeOf(b, 1), search.batch, beams, vocabulary});
    chosen.state.push_back(inserted(op, state[KeptScores], own, 0, step));
  }
  return chosen;
}

Tensor BeamChoice::goesOn(ArrayRef<Tensor> state) {
  return anyOf(op, op.elementwise({state[Done]}, ElementType::Bool,
                                  [](const Scalars &s, ValueRange v) { return negated(s.b, s.loc, v[0]); }));
}

FailureOr<Hypotheses> BeamChoice::finished(ArrayRef<Tensor> made) {
  ArrayRef<Tensor> state = made.drop_front();
  Size beams = sizeOf(op.b, search.beams);
  Tensor isOpen = op.generate({search.batch, beams}, ElementType::Bool, [&](OpBuilder &b, ValueRange i) -> Value {
    return negated(b, op.loc, b.create<tensor::ExtractOp>(op.loc, state[Done].value, i.front()));
  });
  Tensor rows = op.generate({search.batch, beams}, ElementType::Int64, [&](OpBuilder &b, ValueRange i) -> Value {
    Value first = b.create<arith::MulIOp>(op.loc, i[0], toValue(b, op.loc, beams));
    return b.create<arith::IndexCastOp>(op.loc, b.getI64Type(), b.create<arith::AddIOp>(op.loc, first, i[1]));
  });
  // A member that is not done has all the tokens that there may be.
  return hypotheses.with(hypothesesIn(state), {state[BeamScores], isOpen, rows}, {made.front(), search.most});
}

} // namespace sinter
