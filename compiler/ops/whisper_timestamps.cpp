// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whisper's rules of timestamps. What they ask of a sequence is reduced to a few numbers per row first; then each
// score is decided on its own, and at last times and words are weighed against each other.
#include "math.h"
#include "tensor_math.h"
#include "token_scores.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t mostAtStart = 50; ///< the last time that may come first, counted from the first time

/// The largest (of truths: whether any) of `value(token, place)` over the tokens of each row, and `initial`.
Tensor largestToken(const Op &op, Tensor tokens, int64_t initial,
                    llvm::function_ref<Value(const Scalars &, Value token, Value place)> value) {
  Tensor values = op.generate(op.sizes(tokens), ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Value place = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[1]);
    return value(Scalars{b, op.loc, ElementType::Int32}, b.create<tensor::ExtractOp>(op.loc, tokens.value, i), place);
  });
  return op.reduce(
      values, 1, false, ElementType::Int32, [&](const Scalars &s) { return s.integer(initial); },
      [](const Scalars &s, Value most, Value v) { return s.max(most, v); });
}

Value both(const Scalars &s, Value x, Value y) { return s.b.create<arith::AndIOp>(s.loc, x, y); }
Value either(const Scalars &s, Value x, Value y) { return s.b.create<arith::OrIOp>(s.loc, x, y); }
Value isNot(const Scalars &s, Value x) {
  return s.b.create<arith::XOrIOp>(s.loc, x, s.b.create<arith::ConstantOp>(s.loc, s.b.getBoolAttr(true)));
}

/// [rows, 1] of the scores on one side of the first time.
Tensor ofSide(const Op &op, Tensor scores, Size first, Size count,
              llvm::function_ref<Value(const Scalars &, Value acc, Value v)> combine, double initial) {
  return op.reduce(
      partOf(op, scores, 1, first, count), 1, true, ElementType::Float,
      [&](const Scalars &s) { return s.constant(initial); }, combine);
}

/// Without words where times together are likelier than any of them.
Tensor preferringTimes(const Op &op, Tensor scores, int64_t first) {
  Size none = sizeOf(op.b, 0), words = sizeOf(op.b, first), times = sub(op.b, op.loc, op.size(scores, 1), words);
  auto larger = [](const Scalars &s, Value x, Value y) { return s.max(x, y); };
  Tensor bestWord = ofSide(op, scores, none, words, larger, forbidden);
  Tensor bestTime = ofSide(op, scores, words, times, larger, forbidden);
  Tensor exponentials = op.elementwise({partOf(op, scores, 1, words, times), bestTime}, ElementType::Float,
                                       [](const Scalars &s, ValueRange v) {
                                         return s.select(s.compare(Compare::Greater, v[0], s.constant(forbidden)),
                                                         exp(s, s.sub(v[0], v[1])), s.constant(0));
                                       });
  Tensor sum = op.reduce(
      exponentials, 1, true, ElementType::Float, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value x, Value y) { return s.add(x, y); });
  Tensor prefersTimes =
      op.elementwise({sum, bestTime, bestWord}, ElementType::Bool, [](const Scalars &s, ValueRange v) {
        Value some = s.compare(Compare::Greater, v[0], s.constant(0));
        Value joint = s.add(log(s, s.select(some, v[0], s.constant(1))), v[1]);
        return both(s, some, s.compare(Compare::Greater, joint, v[2]));
      });
  return op.generate(op.sizes(scores), ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Float};
    Value column = b.create<arith::ConstantIndexOp>(op.loc, 0);
    Value prefers = b.create<tensor::ExtractOp>(op.loc, prefersTimes.value, ValueRange{i[0], column});
    Value isWord = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[1],
                                           b.create<arith::ConstantIndexOp>(op.loc, first));
    return s.select(both(s, prefers, isWord), s.constant(forbidden),
                    b.create<tensor::ExtractOp>(op.loc, scores.value, i));
  });
}
} // namespace

Tensor withTimestamps(const Op &op, const WhisperTokens &known, Tensor scores, const Sequences &sequences) {
  Tensor tokens = partOf(op, sequences.tokens, 1, sizeOf(op.b, 0), sequences.count);
  int64_t first = known.timestamps;
  // Of each row: the tokens up to its first time (all, where it has none), its last time, whether its last tokens are
  // times.
  Value count = op.b.create<arith::IndexCastOp>(op.loc, op.b.getI32Type(), toValue(op.b, op.loc, sequences.count));
  auto isTime = [&](const Scalars &s, Value token) {
    return s.compare(Compare::GreaterOrEqual, token, s.integer(first));
  };
  Tensor rest = largestToken(op, tokens, 0, [&](const Scalars &s, Value token, Value place) { // behind the first time
    Value behind = s.sub(s.sub(count, place), s.constant(1));
    return s.select(isTime(s, token), behind, s.constant(0));
  });
  auto isTimeAt = [&](int64_t fromEnd) {
    return largestToken(op, tokens, 0, [&](const Scalars &s, Value token, Value place) {
      Value isThere = s.compare(Compare::Equal, place, s.sub(count, s.integer(fromEnd)));
      return s.select(both(s, isThere, isTime(s, token)), s.constant(1), s.constant(0));
    });
  };
  Tensor last = isTimeAt(1), beforeLast = isTimeAt(2);
  Tensor lastPlace = largestToken(op, tokens, -1, [&](const Scalars &s, Value token, Value place) {
    return s.select(isTime(s, token), place, s.constant(-1));
  });
  Tensor lastTime = op.generate(op.sizes(lastPlace), ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Int32};
    Value place = b.create<tensor::ExtractOp>(op.loc, lastPlace.value, i), none = s.constant(0);
    Value isThere = s.compare(Compare::GreaterOrEqual, place, none);
    Value at = b.create<arith::IndexCastOp>(op.loc, b.getIndexType(), s.max(place, none));
    Value held =
        b.create<CheckIndexOp>(op.loc, b.getIndexType(), at, toValue(b, op.loc, sequences.count), b.getBoolAttr(false));
    Value token = b.create<tensor::ExtractOp>(op.loc, tokens.value, ValueRange{i[0], held});
    return s.select(isThere, token, s.constant(-1));
  });

  Tensor y = op.generate(op.sizes(scores), ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Int32};
    auto ofRow = [&](Tensor x) -> Value { return b.create<tensor::ExtractOp>(op.loc, x.value, i.front()); };
    auto isSet = [&](Tensor x) { return s.compare(Compare::Greater, ofRow(x), s.constant(0)); };
    Value token = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[1]);
    auto is = [&](int64_t which) { return s.compare(Compare::Equal, token, s.integer(which)); };
    Value isBegun = isSet(rest), lastIsTime = isSet(last);
    Value pair = either(s, isNot(s, isBegun), isSet(beforeLast));
    Value time = isTime(s, token), text = s.compare(Compare::Less, token, s.integer(known.endOfText));
    Value no = either(s, is(known.noTimestamps), is(known.startOfModel));
    Value special = either(s, is(known.startOfTranscript), either(s, is(known.translate), is(known.transcribe)));
    no = either(s, no, both(s, isBegun, special));
    no = either(s, no, both(s, lastIsTime, s.b.create<arith::SelectOp>(s.loc, pair, time, text)));
    // A single time at the end may be said again; behind a pair, only later ones.
    Value mayRepeat = both(s, lastIsTime, isNot(s, pair));
    Value since = ofRow(lastTime), hasTime = s.compare(Compare::GreaterOrEqual, since, s.constant(0));
    Value least = s.select(mayRepeat, since, s.add(since, s.constant(1)));
    no = either(s, no, both(s, both(s, hasTime, time), s.compare(Compare::Less, token, least)));
    Value isLate = s.compare(Compare::Greater, token, s.integer(first + mostAtStart));
    no = either(s, no, both(s, isNot(s, isBegun), isLate));
    Scalars floats{b, op.loc, ElementType::Float};
    return floats.select(no, floats.constant(forbidden), b.create<tensor::ExtractOp>(op.loc, scores.value, i));
  });
  return preferringTimes(op, y, first);
}

} // namespace sinter
