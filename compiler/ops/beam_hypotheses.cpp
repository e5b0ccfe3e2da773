// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "beam_hypotheses.h"

#include "math.h"

using namespace mlir;

namespace sinter {

SmallVector<Tensor> HypothesisList::none() const {
  Size beams = sizeOf(op.b, search.beams);
  Scalars integers{op.b, op.loc, ElementType::Int32}, floats{op.b, op.loc, ElementType::Float};
  return {op.filled({search.batch, beams, search.most}, ElementType::Int32, integers.integer(search.pad)),
          op.filled({search.batch, beams}, ElementType::Float, floats.constant(0)),
          op.filled({search.batch}, ElementType::Int32, integers.constant(0))};
}

Value HypothesisList::normalized(const Scalars &s, Value sum, Size count) const {
  Value length = Scalars{s.b, s.loc, ElementType::Int64}.castTo(
      ElementType::Float, s.b.create<arith::IndexCastOp>(s.loc, s.b.getI64Type(), toValue(s.b, s.loc, count)));
  Value penalty = s.b.create<tensor::ExtractOp>(s.loc, lengthPenalty.value, ValueRange());
  return s.div(sum, s.b.create<math::PowFOp>(s.loc, length, penalty));
}

/// [batch, n]: how many are before each: those that count before those that do not, better ones before others, and of
/// equal ones the first.
Tensor HypothesisList::ranks(Tensor scores, Tensor counts) const {
  Sizes sizes = op.sizes(scores), pairs{sizes[0], sizes[1], sizes[1]};
  Tensor isBefore = op.generate(pairs, ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Scalars s{b, op.loc, ElementType::Float}, integers{b, op.loc, ElementType::Int32};
    auto at = [&](Tensor x, Value place) -> Value {
      return b.create<tensor::ExtractOp>(op.loc, x.value, ValueRange{i[0], place});
    };
    auto both = [&](Value x, Value y) -> Value { return b.create<arith::AndIOp>(op.loc, x, y); };
    auto either = [&](Value x, Value y) -> Value { return b.create<arith::OrIOp>(op.loc, x, y); };
    Value own = at(scores, i[1]), other = at(scores, i[2]), ownCounts = at(counts, i[1]);
    Value otherCounts = at(counts, i[2]);
    Value isFirst = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[2], i[1]);
    Value isBetter =
        either(s.compare(Compare::Greater, other, own), both(isFirst, s.compare(Compare::Equal, other, own)));
    Value alike = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, ownCounts, otherCounts);
    Value countsMore = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::ugt, otherCounts, ownCounts);
    // Among those that do not count, the first is before.
    Value decides = b.create<arith::SelectOp>(op.loc, ownCounts, isBetter, isFirst);
    return integers.select(either(countsMore, both(alike, decides)), integers.constant(1), integers.constant(0));
  });
  return op.reduce(
      isBefore, 2, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
}

Hypotheses HypothesisList::with(const Hypotheses &known, const Arrivals &arrivals, const Sequences &sequences) const {
  OpBuilder &b = op.b;
  Size beams = sizeOf(b, search.beams), twice = sizeOf(b, 2 * search.beams);
  Value width = toValue(b, op.loc, beams);
  Tensor arriving = op.elementwise({arrivals.scores}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
    return normalized(s, v[0], sequences.count);
  });
  Tensor isUsed = op.generate({search.batch, beams}, ElementType::Bool, [&](OpBuilder &b, ValueRange i) -> Value {
    Value place = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[1]);
    Value used = b.create<tensor::ExtractOp>(op.loc, known.used.value, i.front());
    return b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, place, used);
  });
  Tensor scores = op.concat({known.scores, arriving}, 1), counts = op.concat({isUsed, arrivals.counts}, 1);
  Tensor rank = ranks(scores, counts);
  // Of each place the one whose rank it is: its index among those known and those that arrive.
  Tensor places =
      op.generate({search.batch, twice, beams}, ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
        Value own = b.create<tensor::ExtractOp>(op.loc, rank.value, ValueRange{i[0], i[1]});
        Value place = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[2]);
        Scalars s{b, op.loc, ElementType::Int32};
        return s.select(s.compare(Compare::Equal, own, place),
                        b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), i[1]), s.constant(0));
      });
  Tensor chosen = op.reduce(
      places, 1, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value most, Value v) { return s.max(most, v); });
  auto indexAt = [&](OpBuilder &b, Value member, Value place) -> Value {
    Value index = b.create<arith::IndexCastOp>(
        op.loc, b.getIndexType(), b.create<tensor::ExtractOp>(op.loc, chosen.value, ValueRange{member, place}));
    return b.create<CheckIndexOp>(op.loc, b.getIndexType(), index, toValue(b, op.loc, twice), b.getBoolAttr(false));
  };
  Hypotheses result;
  result.scores = op.generate({search.batch, beams}, ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
    return b.create<tensor::ExtractOp>(op.loc, scores.value, ValueRange{i[0], indexAt(b, i[0], i[1])});
  });
  result.tokens = op.generate(op.sizes(known.tokens), ElementType::Int32, [&](OpBuilder &b, ValueRange i) -> Value {
    Value index = indexAt(b, i[0], i[1]), zero = b.create<arith::ConstantIndexOp>(op.loc, 0);
    Value isKnown = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, index, width);
    Value beyond = b.create<arith::SubIOp>(op.loc, index, width);
    Value old = b.create<arith::SelectOp>(op.loc, isKnown, index, zero);
    Value fresh = b.create<arith::SelectOp>(op.loc, isKnown, zero, beyond);
    Value row = b.create<arith::IndexCastOp>(
        op.loc, b.getIndexType(), b.create<tensor::ExtractOp>(op.loc, arrivals.rows.value, ValueRange{i[0], fresh}));
    Value held =
        b.create<CheckIndexOp>(op.loc, b.getIndexType(), row, toValue(b, op.loc, search.rows), b.getBoolAttr(false));
    return b.create<arith::SelectOp>(
        op.loc, isKnown, b.create<tensor::ExtractOp>(op.loc, known.tokens.value, ValueRange{i[0], old, i[2]}),
        b.create<tensor::ExtractOp>(op.loc, sequences.tokens.value, ValueRange{held, i[2]}));
  });
  Tensor coming = op.reduce(
      op.cast(arrivals.counts, ElementType::Int32), 1, false, ElementType::Int32,
      [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
  result.used = op.elementwise({known.used, coming}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
    return s.min(s.add(v[0], v[1]), s.integer(search.beams));
  });
  return result;
}

} // namespace sinter
