// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.BeamSearch and WhisperBeamSearch: the best of several sequences that a decoder goes on with at a time,
// of a prompt (model_type 0), of tokens that an encoder has read (1) or of features (2). Source: onnxruntime's CPU
// kernels; scores of steps behind the end of all sequences, which they leave undefined, are 0 here.
#include "ops/beam_search.h"
#include "ops/generation_models.h"
#include "ops/math.h"
#include "ops/size_relation.h"
#include "ops/tensor_math.h"

using namespace mlir;

namespace sinter {
namespace {

enum ModelType { Gpt, T5, Whisper };
enum Operand {
  Length = 1,
  Least,
  Beams,
  Returned,
  LengthPenalty,
  RepetitionPenalty,
  Allowed,
  AllowedFirst,
  Mask,
  DecoderTokens,
  LogitsProcessor,
  CrossHeads,
  ExtraTokens,
  Temperature
};
enum Output { SequencesOut, SequenceScores, StepScores, CrossProducts, NoSpeech };

FailureOr<int64_t> knownNumber(const Op &op, Operand operand, StringRef name) {
  std::optional<SmallVector<int64_t>> known = op.constantIntegers(operand);
  if (!known || known->size() != 1)
    return op.fail(Code::ShapeNotConstant, "'" + name + "' is not known at compile time", "make it an initializer");
  return known->front();
}

class BeamSearch {
public:
  BeamSearch(Op &op, bool isWhisper) : op(op), isWhisper(isWhisper), search{op} {}

  LogicalResult lower() {
    if (failed(read()))
      return failure();
    FailureOr<ScoreRules> rules = readRules();
    FailureOr<std::unique_ptr<TokenModel>> model =
        failed(rules) ? FailureOr<std::unique_ptr<TokenModel>>() : makeModel();
    if (failed(model))
      return failure();
    Tensor penalty = op.has(LengthPenalty)
                         ? op.cast(op.reshape(op.input(LengthPenalty), ArrayRef<Size>()), ElementType::Float)
                         : op.scalar(ElementType::Float, 1);
    BeamChoice choice(search, *rules, penalty, op.integer("early_stopping") == 1, op.wants(StepScores));
    auto made = generated(op, search, **model, choice);
    if (failed(made))
      return failure();
    auto best = choice.finished(*made);
    return failed(best) ? failure() : giveResults(*made, *best, choice);
  }

private:
  LogicalResult read() {
    int64_t type = op.integer("model_type");
    if (type < Gpt || type > Whisper || (isWhisper && type != Whisper))
      return op.fail(Code::UnsupportedForm, "model_type " + Twine(type),
                     isWhisper ? "WhisperBeamSearch has 2" : "it is 0 (GPT), 1 (T5) or 2 (Whisper)");
    modelType = ModelType(type);
    if (op.input(0).rank() != (modelType == Whisper ? 3 : 2) ||
        (modelType != Whisper && op.input(0).element != ElementType::Int32))
      return op.fail(Code::ShapeMismatch, modelType == Whisper ? "'input_ids' are no features [batch, features, length]"
                                                               : "'input_ids' are no tokens [batch, length], int32");
    if (op.integer("decoder_output_cross_qk") || op.wants(CrossProducts) || op.has(CrossHeads))
      return op.unsupported("products of queries and keys across encoder and decoder (cross_qk)",
                            "export without decoder_output_cross_qk");
    if (op.has(ExtraTokens))
      return op.unsupported("extra_decoding_ids", "put them into decoder_input_ids");
    if (modelType == T5 && op.has(DecoderTokens))
      return op.unsupported("decoder_input_ids of a model_type that begins with decoder_start_token_id");
    FailureOr<int64_t> beams = knownNumber(op, Beams, "num_beams"),
                       wanted = knownNumber(op, Returned, "num_return_sequences");
    if (failed(beams) || failed(wanted))
      return failure();
    returned = *wanted;
    search.beams = *beams;
    search.pad = op.integer("pad_token_id");
    search.end = op.integer("eos_token_id");
    search.batch = op.size(op.input(0), 0);
    search.rows = mul(op.b, op.loc, search.batch, sizeOf(op.b, search.beams));
    if (modelType == Gpt)
      search.length = op.size(op.input(0), 1);
    else if (failed(readStart()))
      return failure();
    FailureOr<Size> most = mostTokens(op, {search.batch, sizeOf(op.b, returned)}, search.length);
    if (failed(most))
      return failure();
    search.most = *most;
    return success();
  }

  LogicalResult readStart() {
    if (op.has(DecoderTokens)) {
      start = op.input(DecoderTokens);
    } else {
      int64_t token = op.integer("decoder_start_token_id", -1);
      if (token < 0)
        return op.fail(Code::MissingAttribute, "neither decoder_start_token_id nor decoder_input_ids is given");
      start = op.filled({search.batch, sizeOf(op.b, 1)}, ElementType::Int32,
                        Scalars{op.b, op.loc, ElementType::Int32}.integer(token));
    }
    search.length = op.size(start, 1);
    return success();
  }

  FailureOr<ScoreRules> readRules() {
    ScoreRules rules = ScoreRules::of(op, {Least, RepetitionPenalty, Allowed, AllowedFirst});
    if (op.has(Temperature))
      rules.temperature = op.input(Temperature);
    if (!op.has(LogitsProcessor))
      return rules;
    FailureOr<int64_t> processor = knownNumber(op, LogitsProcessor, "logits_processor");
    if (failed(processor))
      return failure();
    if (*processor != 0 && (*processor != 1 || modelType != Whisper))
      return op.unsupported("logits_processor " + Twine(*processor), "it is 0, or of Whisper 1 (timestamps)");
    if (*processor == 0)
      return rules;
    auto token = [&](StringRef name) { return op.integer(name, -1); };
    rules.whisper = WhisperTokens{search.end,
                                  token("decoder_start_token_id"),
                                  token("translate_token_id"),
                                  token("transcribe_token_id"),
                                  token("start_of_lm_token_id"),
                                  token("no_timestamps_token_id"),
                                  token("beginning_timestamp_token_id")};
    if (rules.whisper->timestamps <= 0)
      return op.fail(Code::MissingAttribute, "logits_processor 1 needs beginning_timestamp_token_id");
    return rules;
  }

  FailureOr<std::unique_ptr<TokenModel>> makeModel() {
    if (modelType == Gpt) {
      auto model = PromptDecoder::of(op, search, Mask);
      if (failed(model))
        return failure();
      return std::unique_ptr<TokenModel>(std::move(*model));
    }
    auto model = EncodedDecoder::of(op, search, modelType == Whisper, start);
    if (failed(model))
      return failure();
    return std::unique_ptr<TokenModel>(std::move(*model));
  }

  LogicalResult giveResults(ArrayRef<Tensor> made, const Hypotheses &best, const BeamChoice &choice) {
    Size none = sizeOf(op.b, 0), count = sizeOf(op.b, returned);
    SmallVector<Tensor> results(op.outputCount());
    results[SequencesOut] = partOf(op, best.tokens, 1, none, count);
    if (op.wants(SequenceScores))
      results[SequenceScores] = op.cast(partOf(op, best.scores, 1, none, count), floatType());
    if (op.wants(StepScores))
      results[StepScores] = op.cast(choice.scoresOf(made), floatType());
    if (op.wants(NoSpeech)) {
      FailureOr<Tensor> shares = noSpeech(choice);
      if (failed(shares))
        return failure();
      results[NoSpeech] = *shares;
    }
    return op.results(results);
  }

  /// [batch]: how likely there is no speech, from the scores of the first step.
  FailureOr<Tensor> noSpeech(const BeamChoice &choice) {
    int64_t token = op.integer("no_speech_token_id", -1);
    if (token < 0)
      return op.fail(Code::MissingAttribute, "'non_speech_probs' needs no_speech_token_id");
    if (failed(mustHold(op, relationHolds(op, "<", sizeOf(op.b, token), op.size(choice.firstShares, 1)),
                        "no_speech_token_id is no token of the scores")))
      return failure();
    Tensor ofToken = entryOf(op, choice.firstShares, 1, sizeOf(op.b, token));
    Tensor ofBeams = op.reshape(ofToken, {search.batch, sizeOf(op.b, search.beams)});
    Tensor shares = op.elementwise({entryOf(op, ofBeams, 1, sizeOf(op.b, 0))}, ElementType::Float,
                                   [](const Scalars &s, ValueRange v) { return exp(s, v[0]); });
    return op.cast(shares, floatType());
  }

  /// The type that operands and outputs of constraint T share: what one of them is said to be, or float.
  ElementType floatType() const {
    for (Operand i : {LengthPenalty, RepetitionPenalty, Temperature})
      if (op.has(i))
        return op.input(i).element;
    for (Value y : op.node.getResults().drop_front())
      if (auto type = dyn_cast<TensorType>(y.getType()))
        return elementTypeOf(type.getElementType());
    return ElementType::Float;
  }

  Op &op;
  bool isWhisper;
  Search search;
  ModelType modelType = Gpt;
  int64_t returned = 1;
  Tensor start; ///< [batch, length]: the decoder's first tokens
};
} // namespace

void register_contrib_beam_search(Registry &registry) {
  static const std::string shared =
      "max_length[]|[1] min_length[]|[1] num_beams[]|[1] num_return_sequences[]|[1] length_penalty[]|[1] "
      "repetition_penalty[]|[1] vocab_mask[V] prefix_vocab_mask[N,V] decoder_input_ids[N,_] logits_processor[]|[1] "
      "value(num_beams)>=1 1<=value(num_return_sequences)<=value(num_beams) no_repeat_ngram_size>=0 "
      "early_stopping=0|1";
  static const std::string rule = "input_ids[N,S]|[N,_,S] attention_mask[N,S] " + shared;
  static const std::string whisperRule =
      "input_ids[N,_,_] attention_mask[N,_] cross_qk_layer_head[_,2] extra_decoding_ids[N,_] temperature[]|[1] " +
      shared;
  registry.onOp("BeamSearch", {1}, rule, [](Op &op) { return BeamSearch(op, false).lower(); }, "com.microsoft");
  registry.onOp(
      "WhisperBeamSearch", {1}, whisperRule, [](Op &op) { return BeamSearch(op, true).lower(); }, "com.microsoft");
}

} // namespace sinter
