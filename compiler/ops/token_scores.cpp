// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "token_scores.h"

#include "repeated_runs.h"
#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

Tensor numberIn(const Op &op, Tensor x) { return op.cast(op.reshape(x, ArrayRef<Size>()), ElementType::Float); }

/// Scores of tokens that there are already, by the penalty smaller.
FailureOr<Tensor> penalizedRepeats(const Op &op, Tensor scores, Tensor tokens, Tensor penalty) {
  Tensor none =
      op.elementwise({scores}, ElementType::Float, [](const Scalars &s, ValueRange) { return s.constant(0); });
  Tensor marks = op.filled(op.sizes(tokens), ElementType::Float, Scalars{op.b, op.loc, ElementType::Float}.constant(1));
  auto there = op.call("ScatterElements", 18, {none, tokens, marks}, op.param("axis", int64_t(1)));
  if (failed(there))
    return failure();
  return op.elementwise(
      {scores, (*there)[0], numberIn(op, penalty)}, ElementType::Float, [](const Scalars &s, ValueRange v) {
        Value zero = s.constant(0);
        Value less = s.select(s.compare(Compare::Less, v[0], zero), s.mul(v[0], v[2]), s.div(v[0], v[2]));
        return s.select(s.compare(Compare::Greater, v[1], zero), less, v[0]);
      });
}

/// The mask is of as many tokens as have scores.
LogicalResult checkMask(const Op &op, Tensor mask, Size vocabulary) {
  return mustBeEqual(op, op.size(mask, mask.rank() - 1), vocabulary,
                     "a mask of the vocabulary has another size than the scores");
}

Tensor onlyAllowed(const Op &op, Tensor scores, Tensor allowed) {
  return op.elementwise({scores, allowed}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
    Scalars integers{s.b, s.loc, ElementType::Int32};
    return s.select(integers.compare(Compare::Equal, v[1], integers.constant(0)), s.constant(forbidden), v[0]);
  });
}

Tensor withoutEarlyEnd(const Op &op, Tensor scores, Tensor least, Size count, int64_t end) {
  Tensor fewest = op.reshape(least, ArrayRef<Size>());
  return op.generate(op.sizes(scores), ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    Value length = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), toValue(b, op.loc, count));
    Value isEarly = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, length,
                                            b.create<tensor::ExtractOp>(op.loc, fewest.value, ValueRange()));
    Value isEnd =
        b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, i[1], b.create<arith::ConstantIndexOp>(op.loc, end));
    return b.create<arith::SelectOp>(op.loc, b.create<arith::AndIOp>(op.loc, isEarly, isEnd),
                                     Scalars{b, op.loc, ElementType::Float}.constant(forbidden),
                                     b.create<tensor::ExtractOp>(op.loc, scores.value, i));
  });
}
} // namespace

ScoreRules ScoreRules::of(const Op &op, Operands operands) {
  ScoreRules rules;
  rules.least = op.inputOrNone(operands.least);
  rules.repetitionPenalty = op.inputOrNone(operands.repetitionPenalty);
  rules.allowed = op.inputOrNone(operands.allowed);
  rules.allowedFirst = op.inputOrNone(operands.allowedFirst);
  rules.runSize = op.integer("no_repeat_ngram_size");
  return rules;
}

FailureOr<Tensor> restricted(const Search &search, const ScoreRules &rules, Tensor scores, const Sequences &sequences,
                             bool isFirst) {
  const Op &op = search.op;
  Tensor tokens = partOf(op, sequences.tokens, 1, sizeOf(op.b, 0), sequences.count);
  Size vocabulary = op.size(scores, 1);
  if (int64_t stated = op.integer("vocab_size", -1);
      stated > 0 && failed(mustBeEqual(op, vocabulary, sizeOf(op.b, stated),
                                       "'decoder' makes other scores than for "
                                       "vocab_size tokens")))
    return failure();
  if (rules.repetitionPenalty) {
    FailureOr<Tensor> penalized = penalizedRepeats(op, scores, tokens, rules.repetitionPenalty);
    if (failed(penalized))
      return failure();
    scores = *penalized;
  }
  if (rules.runSize > 0) {
    FailureOr<Tensor> fresh = withoutRepeatedRuns(op, tokens, scores, rules.runSize, forbidden);
    if (failed(fresh))
      return failure();
    scores = *fresh;
  }
  for (Tensor mask : {rules.allowed, rules.allowedFirst, rules.present})
    if (mask && failed(checkMask(op, mask, vocabulary)))
      return failure();
  if (rules.allowed)
    scores = onlyAllowed(op, scores, rules.allowed);
  if (rules.allowedFirst && isFirst)
    scores = onlyAllowed(op, scores, repeated(op, rules.allowedFirst, search.beams));
  if (rules.least)
    scores = withoutEarlyEnd(op, scores, rules.least, sequences.count, search.end);
  if (rules.temperature)
    scores = op.elementwise({scores, numberIn(op, rules.temperature)}, ElementType::Float,
                            [](const Scalars &s, ValueRange v) { return s.div(v[0], v[1]); });
  if (rules.present && rules.presencePenalty != 0)
    scores = op.elementwise(
        {scores, op.cast(rules.present, ElementType::Float)}, ElementType::Float,
        [&](const Scalars &s, ValueRange v) { return s.sub(v[0], s.mul(v[1], s.constant(rules.presencePenalty))); });
  return rules.whisper ? withTimestamps(op, *rules.whisper, scores, sequences) : scores;
}

} // namespace sinter
