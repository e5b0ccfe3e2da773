// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.GreedySearch and Sampling of a decoder: the prompt once, then a loop that puts a token behind each
// sequence until all have ended or there are max_length of them. Source: onnxruntime's CPU kernels; what they leave
// undefined behind the end of all sequences is the pad token here. Numbers that Sampling draws are those of random.h,
// not of onnxruntime's generator; from the same scores both draw with the same probabilities.
#include "ops/generation_models.h"
#include "ops/meeting.h"
#include "ops/random.h"
#include "ops/token_choices.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr const char *rule =
    "input_ids[N,S] S>=1 max_length[]|[1] min_length[]|[1] repetition_penalty[]|[1] vocab_mask[V] "
    "prefix_vocab_mask[N,V] attention_mask[N,S] no_repeat_ngram_size>=0 ";
constexpr unsigned maskInput = 6;

FailureOr<Search> searchOf(Op &op) {
  if (op.integer("model_type"))
    return op.unsupported("a model of an encoder and a decoder (model_type = 1)", "com.microsoft.BeamSearch has them");
  Search search{op};
  search.pad = op.integer("pad_token_id");
  search.end = op.integer("eos_token_id");
  search.batch = search.rows = op.size(op.input(0), 0);
  search.length = op.size(op.input(0), 1);
  FailureOr<Size> most = mostTokens(op, search.batch, search.length);
  if (failed(most))
    return failure();
  search.most = *most;
  return search;
}

ScoreRules rulesOf(const Op &op) {
  return ScoreRules::of(op, {/*least=*/2, /*repetitionPenalty=*/3, /*allowed=*/4, /*allowedFirst=*/5});
}

FailureOr<SmallVector<Tensor>> searched(Op &op, const Search &search, TokenChoice &choice) {
  auto model = PromptDecoder::of(op, search, maskInput);
  return failed(model) ? FailureOr<SmallVector<Tensor>>() : generated(op, search, **model, choice);
}

LogicalResult lowerGreedy(Op &op) {
  FailureOr<Search> search = searchOf(op);
  if (failed(search))
    return failure();
  BestToken choice(*search, rulesOf(op));
  auto made = searched(op, *search, choice);
  return failed(made) ? failure() : op.result(made->front());
}

LogicalResult lowerSampling(Op &op) {
  FailureOr<Search> search = searchOf(op);
  if (failed(search))
    return failure();
  OpBuilder &b = op.b;
  ScoreRules rules = rulesOf(op);
  if (double temperature = op.real("temperature"); temperature > 0 && temperature != 1)
    rules.temperature = op.scalar(ElementType::Float, temperature);
  if (op.has(7))
    rules.present = op.input(7);
  rules.presencePenalty = op.real("presence_penalty");
  Draw draw;
  draw.topP = op.real("top_p");
  draw.filterValue = op.real("filter_value");
  draw.fewest = op.integer("min_tokens_to_keep");
  draw.isCustom = op.integer("custom") != 0;
  draw.keepsScores = op.wants(1);
  draw.seed =
      op.has(8)
          ? b.create<arith::ExtSIOp>(op.loc, b.getI64Type(), onlyElement(b, op.loc, op.input(8))).getResult()
          : b.create<arith::ConstantOp>(op.loc, IntegerAttr::get(b.getI64Type(), APInt(64, seedOf(op)))).getResult();
  DrawnToken choice(*search, rules, draw);
  auto made = searched(op, *search, choice);
  if (failed(made))
    return failure();
  SmallVector<Tensor> results{(*made)[0]};
  if (op.outputCount() > 1)
    results.push_back(draw.keepsScores ? made->back() : Tensor());
  return op.results(results);
}
} // namespace

void register_contrib_generation(Registry &registry) {
  registry.onOp("GreedySearch", {1}, rule, lowerGreedy, "com.microsoft");
  static const std::string samplingRule =
      std::string(rule) + "presence_mask[N,V] seed[]|[1] top_p>=0 min_tokens_to_keep>=0 custom=0|1";
  registry.onOp("Sampling", {1}, samplingRule, lowerSampling, "com.microsoft");
}

} // namespace sinter
