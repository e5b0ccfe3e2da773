// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generation_models.h"
#include "meeting.h"
#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

int64_t rankOf(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  return type ? type.getRank() : -1;
}

size_t resultCount(Region &region) { return region.front().getTerminator()->getNumOperands(); }
} // namespace

FailureOr<std::unique_ptr<EncodedDecoder>> EncodedDecoder::of(Op &op, const Search &search, bool ofFeatures,
                                                              Tensor startTokens) {
  std::unique_ptr<EncodedDecoder> model(new EncodedDecoder(op, search, ofFeatures, startTokens));
  if (failed(model->read()))
    return failure();
  return model;
}

LogicalResult EncodedDecoder::read() {
  decoder = subgraph(op, "decoder");
  encoder = subgraph(op, "encoder");
  if (!decoder || !encoder)
    return op.fail(Code::MissingAttribute,
                   Twine("the subgraph '") + (decoder ? "encoder" : "decoder") + "' is missing");
  size_t given = decoder->getNumArguments(), made = resultCount(*decoder);
  unsigned before = ofFeatures ? 1 : 2; // input_ids, and of tokens their mask
  takesHidden = given > before && rankOf(decoder->getArgument(before)) == 3;
  before += takesHidden;
  layers = unsigned(made / 2);
  size_t sharing = given - before - 4 * layers;
  if (made < 3 || made % 2 == 0 || given < before + 4 * layers || (sharing != 0 && sharing != 1 && sharing != 3))
    return op.unsupported("'decoder' with " + Twine(given) + " inputs and " + Twine(made) + " outputs",
                          Twine("it takes tokens, ") + (ofFeatures ? "" : "the encoder's mask, ") +
                              "hidden states or none, four states of each layer, then nothing, past_sequence_length, "
                              "or with it beam_width and cache_indirection; and makes scores and two states of each "
                              "layer");
  pasts.sharing = unsigned(sharing);
  auto tokens = dyn_cast<RankedTensorType>(decoder->getArgument(0).getType());
  takesSequence = !tokens || tokens.getRank() != 2 || tokens.getDimSize(1) != 1;

  size_t taken = encoder->getNumArguments(), encoded = resultCount(*encoder), all = ofFeatures ? 2 : 3;
  beginsInEncoder = taken == all;
  if ((taken != all && taken + 1 != all) || encoded != (beginsInEncoder ? 2 + 4 * layers : 2 * layers) ||
      (takesHidden && !beginsInEncoder))
    return op.unsupported(
        "'encoder' with " + Twine(taken) + " inputs and " + Twine(encoded) + " outputs for " + Twine(layers) +
            " layers of 'decoder'",
        "with decoder_input_ids it makes scores, hidden states and four states of each layer; without "
        "them, two states of each layer that the decoder crosses, and no hidden states");
  return success();
}

/// Padding in front of the tokens counts not; one behind them may be the end.
Tensor EncodedDecoder::encoderMask() const {
  if (op.has(9))
    return op.input(9);
  Tensor isToken = tokenMask(op, op.input(0), search.pad);
  Tensor most =
      op.kernel("cumulate", {isToken, op.scalar(ElementType::Int32, 1)}, {{op.sizes(isToken), ElementType::Int32}},
                {op.param("product", false), op.param("exclusive", false), op.param("reverse", false)})[0];
  return op.elementwise({most}, ElementType::Int32,
                        [](const Scalars &s, ValueRange v) { return s.min(v[0], s.constant(1)); });
}

/// Buffers for the decoder's own states, whose heads and sizes are those of `like` [batch, heads, length, size].
LogicalResult EncodedDecoder::addForms(ArrayRef<Tensor> like) {
  for (Tensor state : like) {
    if (state.rank() != 4)
      return op.fail(Code::ShapeMismatch, "a state that 'encoder' makes is not [batch, heads, length, size]");
    if (failed(mustBeEqual(op, op.size(state, 0), search.batch, "a state that 'encoder' makes has another batch")))
      return failure();
    pasts.forms.push_back({{search.rows, op.size(state, 1), search.most, op.size(state, 3)},
                           /*rowAxis=*/0,
                           /*lengthAxis=*/2,
                           state.element});
  }
  return success();
}

FailureOr<Step> EncodedDecoder::begin() {
  SmallVector<Tensor> arguments{op.input(0)};
  if (!ofFeatures) {
    mask = encoderMask();
    arguments.push_back(mask);
    mask = repeated(op, mask, search.beams);
  }
  if (beginsInEncoder)
    arguments.push_back(startTokens);
  auto made = callSubgraph(op, *encoder, arguments);
  if (failed(made))
    return failure();
  ArrayRef<Tensor> states = ArrayRef(*made).drop_front(beginsInEncoder ? 2 : 0);
  if (failed(addForms(states.take_front(2 * layers))))
    return failure();
  for (Tensor state : states.take_back(2 * layers))
    crossed.push_back(repeated(op, state, search.beams));
  initial = pasts.empty();
  if (!beginsInEncoder)
    return decoded(*prompt(), sizeOf(op.b, 0), initial);
  if (takesHidden)
    hidden = repeated(op, (*made)[1], search.beams);
  SmallVector<Tensor> own{made->front()};
  llvm::append_range(own, states.take_front(2 * layers));
  FailureOr<Step> step = stepOf(op, own, search.batch, "encoder");
  if (failed(step))
    return failure();
  step->logits = repeated(op, step->logits, search.beams);
  for (Tensor &present : step->presents)
    present = repeated(op, present, search.beams);
  return step;
}

FailureOr<Step> EncodedDecoder::decoded(Tensor tokens, Size seen, ArrayRef<Tensor> buffers) {
  SmallVector<Tensor> arguments{tokens};
  for (Tensor other : {mask, hidden})
    if (other)
      arguments.push_back(other);
  pasts.addPasts(buffers, seen, arguments);
  llvm::append_range(arguments, crossed);
  pasts.addSharing(seen, arguments);
  auto made = callSubgraph(op, *decoder, arguments);
  return failed(made) ? FailureOr<Step>() : stepOf(op, *made, search.rows, "decoder");
}

FailureOr<Step> EncodedDecoder::next(const Sequences &sequences, Size seen, Value, ArrayRef<Tensor> buffers) {
  Size none = sizeOf(op.b, 0);
  return decoded(takesSequence ? partOf(op, sequences.tokens, 1, none, sequences.count)
                               : partOf(op, sequences.tokens, 1, seen, sizeOf(op.b, 1)),
                 seen, buffers);
}

FailureOr<SmallVector<Tensor>> EncodedDecoder::updated(ArrayRef<Tensor> buffers, const Step &step, Size count,
                                                       Tensor origins) {
  // What the encoder makes is never a whole buffer.
  bool isFirst = constantOf(sub(op.b, op.loc, count, search.length)) == 0;
  bool isEncoders = isFirst && beginsInEncoder;
  return pasts.updated(buffers, step.presents, count, origins, isEncoders ? "encoder" : "decoder",
                       pasts.sharing != 0 && !isEncoders);
}

} // namespace sinter
