// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/draft_job.h"

#include "driver/decoder_job.h"

namespace sinter {

static constexpr llvm::StringLiteral draftName = "draft";

std::string draftPrefix(const CodegenOptions &options) { return legalPrefix(options.prefix + "_" + draftName.str()); }

std::optional<Problem> whyNoDraft(const DraftOf &model, const Decoder &decoder, const DecoderConfig &config) {
  auto because = [](const Twine &what, const Twine &hint) {
    return Problem{Code::UnfitDraft, what.str(), {}, hint.str()};
  };
  if (!decoder.encoded.empty())
    return because("it reads what an encoder makes", "a draft goes on from tokens alone");
  // Of tokens that both tokenizers have alike, one vocabulary may be padded more than the other.
  bool hasAllTokens = model.tokens > 0 && std::min(decoder.vocabulary, model.vocabulary) >= model.tokens;
  if (decoder.vocabulary != model.vocabulary && !hasAllTokens)
    return because("it has scores of " + Twine(decoder.vocabulary) + " tokens, and the model of " +
                       Twine(model.vocabulary),
                   "a draft is a smaller model with the same vocabulary, mostly of the same family");
  std::optional<int64_t> most = decoder.capacity    ? decoder.capacity
                                : decoder.positions ? std::optional(decoder.positions)
                                                    : config.positions;
  if (most && *most < model.context)
    return because("it has room for " + Twine(*most) + " tokens, and the model's context for " + Twine(model.context),
                   "--context " + Twine(*most) + " is what both have");
  if (llvm::any_of(decoder.caches, [](const DecoderCache &cache) { return cache.kind == CacheKind::Whole; }))
    return because("what it drafts is taken back where the model says something else, and it has states of no rows, "
                   "which it cannot take back",
                   "a draft has caches of keys and values, and no recurrent states");
  return std::nullopt;
}

ExitStatus addDraft(const CompileJob &job, CompilePart compilePart, Diagnostics &diagnostics) {
  DiagnosticsAbout draft(diagnostics, "the draft " + job.decoder->draft + ": ");
  const SessionPlan &plan = *job.codegen.session;
  CompileJob part = partOf(job, job.decoder->draft, draftName);
  part.adapterPaths.clear(); // which are the model's
  part.adapters.clear();
  part.switched.clear();
  part.import.given.clear();
  part.import.namesModules = false;
  part.decoder = DecoderWish();
  part.decoder->context = plan.context;
  part.decoder->chunk = job.decoder->chunk;
  part.decoder->cache = job.decoder->cache;
  part.decoder->hasSession = true;
  part.decoder->draftOf = DraftOf{plan.context, plan.vocabulary, job.decoder->draftTokens};
  auto noParts = [](const CompileJob &, CompiledModel &) { return ExitInternal; }; // a draft has none
  if (ExitStatus status = settleDecoder(part, diagnostics, noParts); status != ExitOk)
    return status;
  CompiledModel made;
  return compilePart(part, made);
}

} // namespace sinter
