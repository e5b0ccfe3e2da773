// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft's hashes of n-grams, which look up Engram's tables of embeddings: NGramHashMapping for rows of one
// length, VarlenNGramHashMapping for rows that lie one behind the other. Of a token and the n - 1 in front of it, each
// times a number, the exclusive or is a hash; for each head it is taken modulo the size of its table. Products wrap
// around.
#include "ops/domains.h"
#include "ops/meeting.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"

using namespace mlir;

namespace sinter {
namespace {

/// Index arithmetic at one place.
struct Indices {
  OpBuilder &b;
  Location loc;

  Value number(int64_t n) const { return b.create<arith::ConstantIndexOp>(loc, n); }
  Value add(Value x, int64_t n) const { return b.createOrFold<arith::AddIOp>(loc, x, number(n)); }
  Value add(Value x, Value y) const { return b.create<arith::AddIOp>(loc, x, y); }
  Value sub(Value x, Value y) const { return b.create<arith::SubIOp>(loc, x, y); }
  Value notBelow(Value x, int64_t n) const { return b.create<arith::MaxSIOp>(loc, x, number(n)); }
  Value isBelow(Value x, int64_t n) const {
    return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, number(n));
  }
  Value differ(Value x, Value y) const { return b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, x, y); }
  Value select(Value condition, Value x, Value y) const { return b.create<arith::SelectOp>(loc, condition, x, y); }
  Value both(Value x, Value y) const { return b.create<arith::AndIOp>(loc, x, y); }
  Value read(Tensor x, ValueRange at) const { return b.create<tensor::ExtractOp>(loc, x.value, at); }
  Value index(Value integer) const { return b.create<arith::IndexCastOp>(loc, b.getIndexType(), integer); }
};

class Hashes {
public:
  Hashes(Op &op, unsigned history, unsigned offsets, unsigned ending, unsigned segments)
      : op(op), multipliers(op.input(1)), tables(op.input(2)), history(given(history)), offsets(given(offsets)),
        ending(given(ending)), segments(given(segments)), ids(neverEmpty(op, op.input(0))),
        longest(op.integer("max_ngram_size")), heads(op.integer("n_head_per_ngram")), padding(op.integer("pad_id")),
        element(op.input(0).element) {}
  virtual ~Hashes() = default;

protected:
  Tensor given(unsigned i) const { return op.has(i) ? op.input(i) : Tensor(); }
  int64_t before() const { return longest - 1; }

  /// Sizes of what there is a hash for, and of them the row, and the place in it.
  virtual Sizes places() const = 0;
  virtual std::pair<Value, Value> placeIn(const Indices &x, ValueRange i) const = 0;
  /// An element of `tokens`, which has one for each token; the place is one of the row.
  virtual Value readAt(const Indices &x, Tensor tokens, Value row, Value place) const = 0;
  virtual Tensor earlierSegments() const { return {}; }

  /// Of a row, where places below 0 are those before this call: `otherwise` where nothing is known of them, or, null,
  /// the first.
  Value at(const Indices &x, Tensor tokens, Tensor earlier, Value otherwise, Value row, Value place) const;
  Tensor tokensBack(int64_t steps) const;
  Tensor crossed(int64_t steps, Tensor token) const;
  using End = llvm::function_ref<Value(const Indices &, Value row, ValueRange i)>;
  Tensor last(Tensor tokens, Tensor earlier, Value otherwise, Sizes sizes, End end) const;
  FailureOr<Tensor> hashes();
  LogicalResult checkTables() const;

  Op &op;
  Tensor multipliers, tables, history, offsets, ending, segments;
  Tensor ids; ///< with one more where there may be none
  int64_t longest, heads, padding;
  ElementType element;
  Value missing; ///< a scalar in place of tokens that are not there
};

Value Hashes::at(const Indices &x, Tensor tokens, Tensor earlier, Value otherwise, Value row, Value place) const {
  Value now = readAt(x, tokens, row, x.notBelow(place, 0)), isEarlier = x.isBelow(place, 0);
  if (earlier) {
    Value slot = x.add(x.select(isEarlier, place, x.number(-1)), before());
    otherwise = x.read(earlier, {row, x.notBelow(slot, 0)});
  }
  return otherwise ? x.select(isEarlier, otherwise, now) : now;
}

/// For each place the token so many steps before.
Tensor Hashes::tokensBack(int64_t steps) const {
  return op.generate(places(), element, [&](OpBuilder &b, ValueRange i) {
    Indices x{b, op.loc};
    auto [row, place] = placeIn(x, i);
    return at(x, ids, history, missing, row, x.add(place, -steps));
  });
}

/// Whether a text ends between the token so many steps before, which is `token`, and the one behind that.
Tensor Hashes::crossed(int64_t steps, Tensor token) const {
  return op.generate(places(), ElementType::Bool, [&](OpBuilder &b, ValueRange i) {
    Indices x{b, op.loc};
    auto [row, place] = placeIn(x, i);
    Value ends = b.create<arith::ConstantOp>(op.loc, b.getBoolAttr(false));
    if (ending && op.integer("reset_on_eos", 0) != 0)
      ends = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, x.read(token, i), missing);
    if (segments) {
      Value first = x.add(place, -steps), zero = b.create<arith::ConstantOp>(op.loc, b.getI32IntegerAttr(0));
      Tensor earlier = earlierSegments();
      Value differs =
          x.differ(at(x, segments, earlier, zero, row, first), at(x, segments, earlier, zero, row, x.add(first, 1)));
      Value lowest = x.number(earlier ? -before() : 0);
      Value isKnown = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, first, lowest);
      ends = b.create<arith::OrIOp>(op.loc, ends, x.both(isKnown, differs));
    }
    return ends;
  });
}

/// What the next call is given as earlier: of each row (the first of `sizes`) what stands in front of `end`.
Tensor Hashes::last(Tensor tokens, Tensor earlier, Value otherwise, Sizes sizes, End end) const {
  sizes.push_back(sizeOf(op.b, before()));
  return op.generate(sizes, tokens.element, [&](OpBuilder &b, ValueRange i) {
    Indices x{b, op.loc};
    Value place = x.add(x.add(end(x, i[0], i), -before()), i.back());
    return at(x, tokens, earlier, otherwise, i[0], place);
  });
}

/// Each size divides.
LogicalResult Hashes::checkTables() const {
  Tensor least = op.reduce(
      tables, {0}, false, element, [](const Scalars &s) { return s.highest(); },
      [](const Scalars &s, Value acc, Value x) { return s.min(acc, x); });
  Value smallest = elementOf(op.b, op.loc, least.value, {}, op.conversion.evaluations);
  return mustHold(op, relationHolds(op, ">", sizeOfInteger(op.b, op.loc, smallest), sizeOf(op.b, 0)),
                  "a size in vocab_sizes is not positive");
}

FailureOr<Tensor> Hashes::hashes() {
  constexpr int64_t most = 64; // lengths are told apart in code
  if (longest > most)
    return op.unsupported("n-grams of more than " + Twine(most) + " tokens");
  if (element == ElementType::Int32 && padding != static_cast<int32_t>(padding))
    return op.fail(Code::ShapeMismatch, "pad_id = " + Twine(padding) + " is no int32");
  missing = ending ? onlyElement(op.b, op.loc, ending) : Scalars{op.b, op.loc, element}.integer(padding);
  if (failed(checkTables()))
    return failure();
  Sizes column = places();
  column.push_back(sizeOf(op.b, 1));
  Size one = sizeOf(op.b, 1);
  Tensor mix, isCrossed;
  SmallVector<Tensor> parts;
  for (int64_t k = 0; k < longest; ++k) {
    Tensor token = tokensBack(k);
    if (k > 0 && (segments || ending)) {
      Tensor now = crossed(k, token);
      isCrossed =
          !isCrossed ? now
                     : op.elementwise({isCrossed, now}, ElementType::Bool, [](const Scalars &s, ValueRange v) -> Value {
                         return s.b.create<arith::OrIOp>(s.loc, v[0], v[1]);
                       });
      token = op.elementwise({token, isCrossed}, element,
                             [&](const Scalars &s, ValueRange v) { return s.select(v[1], missing, v[0]); });
    }
    SmallVector<Tensor> operands{op.reshape(token, column), op.slice(multipliers, {sizeOf(op.b, k)}, {one}, {one})};
    if (mix)
      operands.push_back(mix);
    mix = op.elementwise(operands, element, [&](const Scalars &s, ValueRange v) -> Value {
      Value product = s.mul(v[0], v[1]);
      return k == 0 ? product : s.b.create<arith::XOrIOp>(s.loc, product, v[2]).getResult();
    });
    if (k == 0)
      continue;
    auto own = [&](Tensor x) { return op.slice(x, {sizeOf(op.b, (k - 1) * heads)}, {sizeOf(op.b, heads)}, {one}); };
    operands = {mix, own(tables)};
    if (offsets)
      operands.push_back(own(offsets));
    parts.push_back(op.elementwise(operands, element, [&](const Scalars &s, ValueRange v) -> Value {
      Value rest = s.b.create<arith::RemSIOp>(s.loc, v[0], v[1]);
      rest = s.select(s.compare(Compare::Less, rest, s.constant(0)), s.add(rest, v[1]), rest);
      return offsets ? s.add(rest, v[2]) : rest;
    }));
  }
  return op.concat(parts, static_cast<int64_t>(column.size()) - 1);
}

/// Rows of one length: [rows, length].
class EvenHashes : public Hashes {
public:
  explicit EvenHashes(Op &op) : Hashes(op, 3, 4, 5, 6) {}

  LogicalResult lower() {
    FailureOr<Tensor> made = hashes();
    if (failed(made))
      return failure();
    SmallVector<Tensor> results{*made};
    Value length = toValue(op.b, op.loc, op.size(op.input(0), 1));
    if (op.wants(1))
      results.push_back(last(ids, history, missing, {op.size(op.input(0), 0)},
                             [&](const Indices &, Value, ValueRange) { return length; }));
    return op.results(results);
  }

private:
  Sizes places() const override { return op.sizes(op.input(0)); }
  std::pair<Value, Value> placeIn(const Indices &, ValueRange i) const override { return {i[0], i[1]}; }
  Value readAt(const Indices &x, Tensor tokens, Value row, Value place) const override {
    return x.read(tokens, {row, place});
  }
};

/// Rows one behind the other: [tokens], of which row r begins at begins[r].
class PackedHashes : public Hashes {
public:
  explicit PackedHashes(Op &op) : Hashes(op, 4, 5, 6, 7), begins(op.input(3)), earlier(given(8)) {}

  LogicalResult lower();

private:
  Sizes places() const override { return op.sizes(op.input(0)); }
  std::pair<Value, Value> placeIn(const Indices &x, ValueRange i) const override {
    Value row = x.index(x.read(rowOf, i[0]));
    return {row, x.sub(i[0], beginOf(x, row))};
  }
  Value readAt(const Indices &x, Tensor tokens, Value row, Value place) const override {
    return x.read(tokens, x.add(beginOf(x, row), place));
  }
  Tensor earlierSegments() const override { return earlier; }
  Value beginOf(const Indices &x, Value row) const { return x.index(x.read(begins, row)); }
  Value lengthOf(const Indices &x, Value row) const { return x.sub(beginOf(x, x.add(row, 1)), beginOf(x, row)); }
  LogicalResult findRows();
  Tensor captured() const;

  Tensor begins, earlier;
  Tensor rowOf; ///< of each token
};
LogicalResult PackedHashes::findRows() {
  OpBuilder &b = op.b;
  Size count = sub(b, op.loc, op.size(begins, 0), sizeOf(b, 1)), tokens = op.size(op.input(0), 0);
  auto integer = [&](Tensor list, Size at) {
    Value read = b.create<tensor::ExtractOp>(op.loc, list.value, toValue(b, op.loc, at));
    return sizeOfInteger(b, op.loc, read);
  };
  Tensor lengths = op.generate({count}, ElementType::Int32, [&](OpBuilder &nb, ValueRange i) -> Value {
    Indices x{nb, op.loc};
    return x.sub(x.read(begins, x.add(i[0], 1)), x.read(begins, i[0]));
  });
  Tensor least = op.reduce(
      lengths, {0}, false, ElementType::Int32, [](const Scalars &s) { return s.highest(); },
      [](const Scalars &s, Value acc, Value x) { return s.min(acc, x); });
  Size shortest = sizeOfInteger(b, op.loc, onlyElement(b, op.loc, least));
  if (failed(mustHold(op, relationHolds(op, ">", shortest, sizeOf(b, 0)), "a row has no token")) ||
      failed(mustBeEqual(op, integer(begins, sizeOf(b, 0)), sizeOf(b, 0),
                         "the first row begins behind the first token")) ||
      failed(mustBeEqual(op, integer(begins, count), tokens, "the last row does not end with the last token")))
    return failure();
  Tensor isBehind = op.generate({tokens, count}, ElementType::Int64, [&](OpBuilder &nb, ValueRange i) -> Value {
    Indices x{nb, op.loc};
    Value end = beginOf(x, x.add(i[1], 1));
    Value behind = nb.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::sge, i[0], end);
    return nb.create<arith::ExtUIOp>(op.loc, nb.getI64Type(), behind);
  });
  rowOf = op.reduce(
      isBehind, {1}, false, ElementType::Int64, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value acc, Value x) { return s.add(acc, x); });
  return success();
}

/// What `last` would give behind each of the first tokens of a row.
Tensor PackedHashes::captured() const {
  Tensor counts = given(9);
  int64_t capacity = op.integer("state_update_capacity", 0);
  Value unused = Scalars{op.b, op.loc, element}.integer(padding);
  Sizes sizes{op.size(counts, 0), sizeOf(op.b, capacity), sizeOf(op.b, before())};
  return op.generate(sizes, element, [&](OpBuilder &b, ValueRange i) {
    Indices x{b, op.loc};
    Value length = lengthOf(x, i[0]), count = x.index(x.read(counts, i[0]));
    Value isThere = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, i[1],
                                            b.create<arith::MinSIOp>(op.loc, count, length));
    Value end = b.create<arith::MinSIOp>(op.loc, x.add(i[1], 1), length);
    Value place = x.add(x.add(end, -before()), i[2]);
    return x.select(isThere, at(x, ids, history, missing, i[0], place), unused);
  });
}

LogicalResult PackedHashes::lower() {
  if (op.wants(2) && !segments)
    return op.fail(Code::WrongOperandCount, "present_segment_ids needs segment_ids");
  if (failed(findRows()))
    return failure();
  FailureOr<Tensor> made = hashes();
  if (failed(made))
    return failure();
  SmallVector<Tensor> results(op.outputCount());
  results[0] = *made;
  Size count = sub(op.b, op.loc, op.size(begins, 0), sizeOf(op.b, 1));
  auto end = [&](const Indices &x, Value row, ValueRange) { return lengthOf(x, row); };
  if (op.wants(1))
    results[1] = last(ids, history, missing, {count}, end);
  if (op.wants(2))
    results[2] = last(segments, earlier, nullptr, {count}, end);
  if (op.wants(3))
    results[3] = captured();
  return op.results(results);
}
} // namespace

void register_contrib_ngram_hash(Registry &registry) {
  std::string common = "multipliers[K] vocab_sizes[V] V=(max_ngram_size-1)*n_head_per_ngram head_offsets[V] "
                       "eos_token_id[] max_ngram_size>=2 n_head_per_ngram>=1 K>=max_ngram_size ";
  registry.onOp(
      "NGramHashMapping", {1}, common + "input_ids[N,T] past_ids[N,max_ngram_size-1] segment_ids[N,T]",
      [](Op &op) { return EvenHashes(op).lower(); }, microsoftDomain);
  registry.onOp(
      "VarlenNGramHashMapping", {1},
      common + "input_ids[T] cumulative_sequence_length[B] B>=2 past_ids[B-1,max_ngram_size-1] "
               "segment_ids[T] past_segment_ids[B-1,max_ngram_size-1] capture_count[B-1] "
               "{has(past_segment_ids)}has(segment_ids)=1 0<=state_update_capacity<=8 "
               "{state_update_capacity=0}has(capture_count)=0 {state_update_capacity!=0}has(capture_count)=1",
      [](Op &op) { return PackedHashes(op).lower(); }, microsoftDomain);
}

} // namespace sinter
