// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conversion.h"
#include "generation_models.h"
#include "meeting.h"
#include "size_relation.h"
#include "tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {
constexpr unsigned firstPast = 3; ///< behind input_ids, position_ids and attention_mask

/// How many inputs stand behind the pasts, where their number fits.
FailureOr<unsigned> sharingOf(const Op &op, Region &region, StringRef name) {
  size_t given = region.getNumArguments(), made = region.front().getTerminator()->getNumOperands();
  size_t sharing = given - made - 2;
  if (made < 2 || given < made + 2 || (sharing != 0 && sharing != 1 && sharing != 3))
    return op.unsupported("'" + name + "' with " + Twine(given) + " inputs and " + Twine(made) + " outputs",
                          "it takes tokens, positions, a mask and the past of each layer, then nothing, "
                          "past_sequence_length, or with it beam_width and cache_indirection; and makes scores and the "
                          "past of each layer");
  return unsigned(sharing);
}
} // namespace

FailureOr<SmallVector<Tensor>> callSubgraph(Op &op, Region &region, ArrayRef<Tensor> arguments) {
  SmallVector<Converted> given;
  for (Tensor argument : arguments)
    given.push_back({argument, {}, false, false});
  auto made = op.conversion.convertRegion(region, given, op.b);
  if (failed(made))
    return failure();
  SmallVector<Tensor> tensors;
  for (const Converted &value : *made) {
    if (!value.tensor)
      return op.unsupported("a subgraph that makes sequences or optionals");
    tensors.push_back(value.tensor);
  }
  return tensors;
}

FailureOr<Step> stepOf(const Op &op, ArrayRef<Tensor> made, Size rows, StringRef name) {
  Tensor logits = made.front();
  if (logits.rank() != 3 || !isFloat(logits.element))
    return op.fail(Code::ShapeMismatch, "the scores that '" + name + "' makes are not [batch, length, vocabulary]");
  if (failed(mustBeEqual(op, op.size(logits, 0), rows, "the scores that '" + name + "' makes have another batch")))
    return failure();
  Size last = sub(op.b, op.loc, op.size(logits, 1), sizeOf(op.b, 1));
  if (failed(mustHold(op, relationHolds(op, ">=", last, sizeOf(op.b, 0)), "'" + name + "' makes no scores")))
    return failure();
  return Step{op.cast(entryOf(op, logits, 1, last), ElementType::Float), SmallVector<Tensor>(made.drop_front())};
}

Tensor tokenMask(const Op &op, Tensor tokens, int64_t pad) {
  return op.elementwise({tokens}, ElementType::Int32, [&](const Scalars &s, ValueRange v) {
    return s.select(s.compare(Compare::Equal, v[0], s.integer(pad)), s.constant(0), s.constant(1));
  });
}

FailureOr<std::unique_ptr<PromptDecoder>> PromptDecoder::of(Op &op, const Search &search, unsigned mask) {
  std::unique_ptr<PromptDecoder> model(new PromptDecoder(op, search));
  if (failed(model->read(mask)))
    return failure();
  return model;
}

LogicalResult PromptDecoder::read(unsigned mask) {
  decoder = subgraph(op, "decoder");
  if (!decoder)
    return op.fail(Code::MissingAttribute, "the subgraph 'decoder' is missing");
  FailureOr<unsigned> sharing = sharingOf(op, *decoder, "decoder");
  if (failed(sharing))
    return failure();
  pasts.sharing = *sharing;
  first = subgraph(op, "init_decoder");
  if (!first)
    first = decoder;
  FailureOr<unsigned> firstSharing = sharingOf(op, *first, "init_decoder");
  if (failed(firstSharing))
    return failure();
  if (first->getNumArguments() != decoder->getNumArguments())
    return op.fail(Code::WrongOperandCount, "'init_decoder' and 'decoder' have other numbers of layers");
  if (failed(readPasts()) || failed(readPrompt(mask)))
    return failure();
  initial = pasts.empty();
  return success();
}

LogicalResult PromptDecoder::readPasts() {
  for (BlockArgument past : decoder->getArguments().drop_front(firstPast).drop_back(pasts.sharing)) {
    auto type = dyn_cast<RankedTensorType>(past.getType());
    if (!type || type.getRank() != 5 || type.getDimSize(0) != 2 || type.isDynamicDim(2) || type.isDynamicDim(4))
      return op.fail(Code::ShapeMismatch,
                     "input " + Twine(past.getArgNumber()) +
                         " of 'decoder' is no past [2, batch, heads, length, size] of known heads and size");
    pasts.forms.push_back({{sizeOf(op.b, 2), search.rows, sizeOf(op.b, type.getDimSize(2)), search.most,
                            sizeOf(op.b, type.getDimSize(4))},
                           /*rowAxis=*/1,
                           /*lengthAxis=*/3,
                           elementTypeOf(type.getElementType())});
  }
  return success();
}

LogicalResult PromptDecoder::readPrompt(unsigned maskInput) {
  OpBuilder &b = op.b;
  tokens = repeated(op, op.input(0), search.beams);
  Tensor isToken = tokenMask(op, tokens, search.pad);
  // Positions are counted over the tokens that are none of padding.
  auto before = op.call("CumSum", 14, {isToken, op.scalar(ElementType::Int32, 1)}, op.param("exclusive", int64_t(1)));
  if (failed(before))
    return failure();
  positions = op.elementwise({isToken, (*before)[0]}, ElementType::Int32,
                             [](const Scalars &s, ValueRange v) { return s.mul(v[0], v[1]); });
  counts = op.reduce(
      isToken, 1, true, ElementType::Int32, [](const Scalars &s) { return s.constant(0); },
      [](const Scalars &s, Value sum, Value v) { return s.add(sum, v); });
  ownMask = op.has(maskInput) ? repeated(op, op.input(maskInput), search.beams) : isToken;
  Value one = Scalars{b, op.loc, ElementType::Int32}.constant(1);
  mask = inserted(op, op.filled({search.rows, search.most}, ElementType::Int32, one), ownMask, 1, sizeOf(b, 0));
  return success();
}

FailureOr<Step> PromptDecoder::begin() {
  SmallVector<Tensor> arguments{tokens, positions, ownMask};
  pasts.addPasts(initial, sizeOf(op.b, 0), arguments);
  pasts.addSharing(sizeOf(op.b, 0), arguments);
  auto made = callSubgraph(op, *first, arguments);
  return failed(made) ? FailureOr<Step>() : stepOf(op, *made, search.rows, "decoder");
}

FailureOr<Step> PromptDecoder::next(const Sequences &sequences, Size seen, Value index, ArrayRef<Tensor> buffers) {
  OpBuilder &b = op.b;
  Tensor where = op.elementwise({counts, numberOf(op, index)}, ElementType::Int32,
                                [](const Scalars &s, ValueRange v) { return s.add(v[0], v[1]); });
  SmallVector<Tensor> arguments{partOf(op, sequences.tokens, 1, seen, sizeOf(b, 1)), where,
                                partOf(op, mask, 1, sizeOf(b, 0), sequences.count)};
  pasts.addPasts(buffers, seen, arguments);
  pasts.addSharing(seen, arguments);
  auto made = callSubgraph(op, *decoder, arguments);
  return failed(made) ? FailureOr<Step>() : stepOf(op, *made, search.rows, "decoder");
}

FailureOr<SmallVector<Tensor>> PromptDecoder::updated(ArrayRef<Tensor> buffers, const Step &step, Size count,
                                                      Tensor origins) {
  return pasts.updated(buffers, step.presents, count, origins, "decoder", pasts.sharing != 0);
}

} // namespace sinter
