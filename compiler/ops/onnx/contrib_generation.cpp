// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.GreedySearch of a decoder: the prompt once, then a loop that puts the token of the best score behind
// each sequence until all have ended or there are max_length of them. Keys and values of the past lie in buffers of
// that length, of which an iteration's decoder gets what is filled. Source: onnxruntime's CPU kernel; what it leaves
// undefined behind the end of all sequences is the pad token here.
#include "ops/conversion.h"
#include "ops/loop_builder.h"
#include "ops/meeting.h"
#include "ops/repeated_runs.h"
#include "ops/runtime_sizes.h"
#include "ops/size_relation.h"
#include "ops/tensor_math.h"

#include <limits>

using namespace mlir;

namespace sinter {
namespace {

constexpr double lowest = -std::numeric_limits<float>::max();
constexpr unsigned firstPast = 3; ///< behind input_ids, position_ids and attention_mask

class GreedySearch {
public:
  GreedySearch(Op &op) : op(op) {}

  LogicalResult lower() {
    if (failed(read()))
      return failure();
    OpBuilder &b = op.b;
    Tensor prompt = op.input(0);
    Tensor isToken = op.elementwise({prompt}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
      return s.select(s.compare(Compare::Equal, v[0], s.integer(pad)), s.constant(0), s.constant(1));
    });
    auto before = op.call("CumSum", 14, {isToken, Tensors{b, op.loc}.scalar(ElementType::Int32, 1)},
                          op.param("exclusive", int64_t(1)));
    if (failed(before))
      return failure();
    Tensor positions = op.elementwise({isToken, (*before)[0]}, ElementType::Int32,
                                      [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
    counts = op.reduce(
        isToken, 1, true, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
        [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
    Tensor ownMask = op.has(6) ? op.input(6) : isToken;
    Scalars integers{b, op.loc, ElementType::Int32};
    mask = inserted(op.filled({batch, most}, ElementType::Int32, integers.constant(1)), ownMask, 1, sizeOf(b, 0));

    SmallVector<Tensor> state{
        inserted(op.filled({batch, most}, ElementType::Int32, integers.integer(pad)), prompt, 1, sizeOf(b, 0)),
        op.filled({batch}, ElementType::Bool, b.create<arith::ConstantOp>(op.loc, b.getBoolAttr(false)))};
    SmallVector<Tensor> arguments{prompt, positions, ownMask};
    for (const Past &past : pasts) {
      Scalars s{b, op.loc, past.element};
      Value zero = narrow(b, op.loc, past.element, s.constant(0));
      state.push_back(op.filled(past.sizes, past.element, zero));
      Sizes none = past.sizes;
      none[3] = sizeOf(b, 0);
      arguments.push_back(op.empty(none, past.element));
    }
    Region *first = subgraph(op, "init_decoder");
    if (failed(advance(first ? *first : *decoder, arguments, length, /*isFirst=*/true, state)))
      return failure();

    LoopBuilder loop(op, state.size());
    loop.initial = state;
    loop.outputs.assign(state.size(), 0);
    loop.body = [this](OpBuilder &inside, Value index, Value, ArrayRef<Tensor> given) {
      return iterate(inside, index, given);
    };
    Size trips = sub(b, op.loc, sub(b, op.loc, most, length), sizeOf(b, 1));
    if (failed(loop.buildWhile(trips, onlyElement(b, op.loc, goesOn(state[1])))))
      return failure();
    return op.result(loop.results[0]);
  }

private:
  struct Past {
    Sizes sizes; ///< [2, batch, heads, most, size]
    ElementType element;
  };

  LogicalResult read() {
    if (op.integer("model_type"))
      return op.unsupported("a model of an encoder and a decoder (model_type = 1)");
    decoder = subgraph(op, "decoder");
    if (!decoder)
      return op.fail(Code::MissingAttribute, "the subgraph 'decoder' is missing");
    pad = op.integer("pad_token_id");
    end = op.integer("eos_token_id");
    batch = op.size(op.input(0), 0);
    length = op.size(op.input(0), 1);
    FailureOr<Sizes> longest = op.elements(1, "max_length");
    FailureOr<Sizes> bounded = failed(longest) ? FailureOr<Sizes>() : boundedSizes(op, {batch, (*longest)[0]});
    if (failed(bounded))
      return failure();
    most = (*bounded)[1];
    if (failed(mustHold(op, relationHolds(op, "<", length, most), "'max_length' is no more than the prompt has")))
      return failure();
    if (Region *first = subgraph(op, "init_decoder"); first && failed(checkDecoder(*first, "init_decoder")))
      return failure();
    if (failed(checkDecoder(*decoder, "decoder")))
      return failure();
    for (BlockArgument past : decoder->getArguments().drop_front(firstPast)) {
      auto type = dyn_cast<RankedTensorType>(past.getType());
      if (!type || type.getRank() != 5 || type.getDimSize(0) != 2 || type.isDynamicDim(2) || type.isDynamicDim(4))
        return op.fail(Code::ShapeMismatch, "input " + Twine(past.getArgNumber()) +
                                                " of 'decoder' is no past [2, batch, heads, length, size] of known "
                                                "heads and size");
      pasts.push_back(
          {{sizeOf(op.b, 2), batch, sizeOf(op.b, type.getDimSize(2)), most, sizeOf(op.b, type.getDimSize(4))},
           elementTypeOf(type.getElementType())});
    }
    return success();
  }

  LogicalResult checkDecoder(Region &region, StringRef name) {
    size_t given = region.getNumArguments(), made = region.front().getTerminator()->getNumOperands();
    if (given <= firstPast || made + 2 != given)
      return op.unsupported("'" + name + "' with " + Twine(given) + " inputs and " + Twine(made) + " outputs",
                            "it takes tokens, positions, a mask and the past of each layer, and makes scores and the "
                            "past of each layer; export without past_present_share_buffer");
    if (given != decoder->getNumArguments())
      return op.fail(Code::WrongOperandCount, "'init_decoder' and 'decoder' have other numbers of layers");
    return success();
  }

  Tensor inserted(Tensor whole, Tensor part, int64_t axis, Size at) {
    Sizes from(whole.rank(), sizeOf(op.b, 0)), ones(whole.rank(), sizeOf(op.b, 1));
    from[size_t(axis)] = at;
    Value made = op.b.create<tensor::InsertSliceOp>(op.loc, part.value, whole.value, from, op.sizes(part), ones);
    return {made, whole.element};
  }

  /// Whether a sequence has not ended.
  Tensor goesOn(Tensor ended) {
    Tensor open = op.elementwise({op.cast(ended, ElementType::Int32)}, ElementType::Int32,
                                 [](const Scalars &s, ValueRange v) { return s.sub(s.constant(1), v[0]); });
    Tensor any = op.reduce(
        open, 0, false, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
        [](const Scalars &s, Value most, Value v) { return s.max(most, v); });
    return op.cast(any, ElementType::Bool);
  }

  FailureOr<SmallVector<Tensor>> iterate(OpBuilder &inside, Value index, ArrayRef<Tensor> given) {
    OpBuilder::InsertionGuard guard(op.b);
    op.b.restoreInsertionPoint(inside.saveInsertionPoint());
    // Tokens that there are; the decoder has seen all but the last.
    Size seen = within(op, add(op.b, op.loc, length, index), most);
    Size count = within(op, add(op.b, op.loc, seen, sizeOf(op.b, 1)), most);
    Size none = sizeOf(op.b, 0), one = sizeOf(op.b, 1);
    Tensor positions = op.elementwise({counts, numberOf(index)}, ElementType::Int32,
                                      [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
    SmallVector<Tensor> state(given),
        arguments{partOf(op, state[0], 1, seen, one), positions, partOf(op, mask, 1, none, count)};
    for (Tensor past : given.drop_front(2))
      arguments.push_back(partOf(op, past, 3, none, seen));
    if (failed(advance(*decoder, arguments, count, /*isFirst=*/false, state)))
      return failure();
    SmallVector<Tensor> result{goesOn(state[1])};
    llvm::append_range(result, state);
    inside.restoreInsertionPoint(op.b.saveInsertionPoint());
    return result;
  }

  Tensor numberOf(Value index) {
    Value number = op.b.create<arith::IndexCastOp>(op.loc, op.b.getI32Type(), index);
    return op.filled({}, ElementType::Int32, number);
  }

  /// The decoder's step: `count` tokens there are before it, one more behind it. State: tokens, ended, each past.
  LogicalResult advance(Region &region, ArrayRef<Tensor> arguments, Size count, bool isFirst,
                        SmallVector<Tensor> &state) {
    SmallVector<Converted> given;
    for (Tensor argument : arguments)
      given.push_back({argument, {}, false, false});
    auto made = op.conversion.convertRegion(region, given, op.b);
    if (failed(made))
      return failure();
    for (const Converted &value : *made)
      if (!value.tensor)
        return op.unsupported("a decoder that makes sequences or optionals");
    Tensor logits = made->front().tensor;
    if (logits.rank() != 3 || !isFloat(logits.element))
      return op.fail(Code::ShapeMismatch, "the scores that 'decoder' makes are not [batch, length, vocabulary]");
    if (failed(mustBeEqual(op, op.size(logits, 0), batch, "the scores that 'decoder' makes have another batch")))
      return failure();
    Size last = sub(op.b, op.loc, op.size(logits, 1), sizeOf(op.b, 1));
    if (failed(mustHold(op, relationHolds(op, ">=", last, sizeOf(op.b, 0)), "'decoder' makes no scores")))
      return failure();
    FailureOr<Tensor> scores = processed(op.cast(entryOf(op, logits, 1, last), ElementType::Float),
                                         partOf(op, state[0], 1, sizeOf(op.b, 0), count), count, isFirst);
    if (failed(scores))
      return failure();
    NamedAttribute attributes[] = {op.param("axis", int64_t(1)), op.param("keepdims", int64_t(0))};
    auto best = op.call("ArgMax", 13, *scores, attributes);
    if (failed(best))
      return failure();
    Tensor tokens = op.cast((*best)[0], ElementType::Int32), before = state[1];
    state[1] = op.elementwise({tokens, before}, ElementType::Bool, [&](const Scalars &s, ValueRange v) -> Value {
      return s.b.create<arith::OrIOp>(s.loc, v[1], s.compare(Compare::Equal, v[0], s.integer(end)));
    });
    tokens = op.elementwise({tokens, state[1]}, ElementType::Int32,
                            [&](const Scalars &s, ValueRange v) { return s.select(v[1], s.integer(pad), v[0]); });
    state[0] = inserted(state[0], op.unsqueeze(tokens, 1), 1, count);
    for (auto [i, value] : llvm::enumerate(ArrayRef(*made).drop_front())) {
      Tensor present = value.tensor;
      if (present.rank() != 5 || present.element != pasts[i].element)
        return op.fail(Code::ShapeMismatch, "output " + Twine(i + 1) + " of 'decoder' is not like its past");
      for (int64_t d = 0; d < 5; ++d)
        if (failed(mustBeEqual(op, op.size(present, d), d == 3 ? count : pasts[i].sizes[size_t(d)],
                               "output " + Twine(i + 1) + " of 'decoder' has another size in dim " + Twine(d) +
                                   " than its past and the new tokens")))
          return failure();
      state[2 + i] = inserted(state[2 + i], present, 3, sizeOf(op.b, 0));
    }
    return success();
  }

  /// Scores [batch, vocabulary] after what restricts them.
  FailureOr<Tensor> processed(Tensor scores, Tensor tokens, Size count, bool isFirst) {
    Size vocabulary = op.size(scores, 1);
    if (int64_t stated = op.integer("vocab_size", -1);
        stated > 0 && failed(mustBeEqual(op, vocabulary, sizeOf(op.b, stated),
                                         "'decoder' makes other scores than for "
                                         "vocab_size tokens")))
      return failure();
    if (op.has(3)) {
      FailureOr<Tensor> penalized = penalizedRepeats(scores, tokens);
      if (failed(penalized))
        return failure();
      scores = *penalized;
    }
    if (int64_t size = op.integer("no_repeat_ngram_size"); size > 0) {
      FailureOr<Tensor> fresh = withoutRepeatedRuns(op, tokens, scores, size, lowest);
      if (failed(fresh))
        return failure();
      scores = *fresh;
    }
    for (unsigned i : {4u, 5u}) {
      if (!op.has(i) || (i == 5 && !isFirst))
        continue;
      Tensor allowed = op.input(i);
      if (failed(mustBeEqual(op, op.size(allowed, allowed.rank() - 1), vocabulary,
                             "a mask of the vocabulary has another size than the scores")))
        return failure();
      scores = op.elementwise({scores, allowed}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
        Scalars integers{s.b, s.loc, ElementType::Int32};
        return s.select(integers.compare(Compare::Equal, v[1], integers.constant(0)), s.constant(lowest), v[0]);
      });
    }
    return op.has(2) ? withoutEarlyEnd(scores, count) : scores;
  }

  /// Scores of tokens that there are already, by the penalty smaller.
  FailureOr<Tensor> penalizedRepeats(Tensor scores, Tensor tokens) {
    Tensor none =
        op.elementwise({scores}, ElementType::Float, [](const Scalars &s, ValueRange) { return s.constant(0); });
    Tensor marks =
        op.filled(op.sizes(tokens), ElementType::Float, Scalars{op.b, op.loc, ElementType::Float}.constant(1));
    auto there = op.call("ScatterElements", 18, {none, tokens, marks}, op.param("axis", int64_t(1)));
    if (failed(there))
      return failure();
    Tensor penalty = op.reshape(op.input(3), ArrayRef<Size>());
    return op.elementwise({scores, (*there)[0], penalty}, ElementType::Float, [](const Scalars &s, ValueRange v) {
      Value zero = s.constant(0);
      Value less = s.select(s.compare(Compare::Less, v[0], zero), s.mul(v[0], v[2]), s.div(v[0], v[2]));
      return s.select(s.compare(Compare::Greater, v[1], zero), less, v[0]);
    });
  }

  Tensor withoutEarlyEnd(Tensor scores, Size count) {
    Tensor least = op.reshape(op.input(2), ArrayRef<Size>());
    return op.generate(op.sizes(scores), ElementType::Float, [&](OpBuilder &b, ValueRange i) -> Value {
      Value length = b.create<arith::IndexCastOp>(op.loc, b.getI32Type(), toValue(b, op.loc, count));
      Value isEarly = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::slt, length,
                                              b.create<tensor::ExtractOp>(op.loc, least.value, ValueRange()));
      Value isEnd = b.create<arith::CmpIOp>(op.loc, arith::CmpIPredicate::eq, i[1],
                                            b.create<arith::ConstantIndexOp>(op.loc, end));
      return b.create<arith::SelectOp>(op.loc, b.create<arith::AndIOp>(op.loc, isEarly, isEnd),
                                       Scalars{b, op.loc, ElementType::Float}.constant(lowest),
                                       b.create<tensor::ExtractOp>(op.loc, scores.value, i));
    });
  }

  Op &op;
  Region *decoder = nullptr;
  int64_t pad = 0, end = 0;
  Size batch, length, most; ///< length: of the prompt
  SmallVector<Past> pasts;
  Tensor mask;   ///< [batch, most]
  Tensor counts; ///< [batch, 1]: tokens of a prompt
};
} // namespace

void register_contrib_generation(Registry &registry) {
  registry.onOp(
      "GreedySearch", {1},
      "input_ids[N,S] S>=1 max_length[]|[1] min_length[]|[1] repetition_penalty[]|[1] vocab_mask[V] "
      "prefix_vocab_mask[N,V] attention_mask[N,S] no_repeat_ngram_size>=0",
      [](Op &op) { return GreedySearch(op).lower(); }, "com.microsoft");
}

} // namespace sinter
