// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/decoder_job.h"

#include "driver/config_file.h"
#include "driver/decoder_folder.h"
#include "driver/draft_job.h"
#include "driver/embed_job.h"
#include "graph/decoder.h"
#include "graph/passes.h"
#include "pipeline/dialects.h"

#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr int64_t mostByDefault = 2048; // rows of caches that nobody asked for take memory

/// With symbols as they are: nothing of the model is settled yet, but what the user says.
std::optional<Decoder> recognize(const CompileJob &job, MLIRContext &context, OwningOpRef<ModuleOp> &module,
                                 Diagnostics &diagnostics) {
  ImportOptions import = job.import;
  constexpr int64_t any = 8; // only which symbols there are is asked
  import.dims.try_emplace("*", DimValue{0, any});
  import.shared.isLast = false;
  import.mayLackDims = true; // what neither it nor the models beside it have is said once it is compiled
  module = importModel(job.model, import, context, diagnostics);
  if (!module)
    return std::nullopt;
  Decoder decoder;
  if (failed(settleCacheBranch(*module)))
    return std::nullopt;
  if (std::optional<NoDecoder> problem = recognizeDecoder(*module, decoder)) {
    diagnostics.report(
        {problem->lacksCaches ? Code::NoCaches : Code::UnclearDecoder, problem->what, {}, problem->hint});
    return std::nullopt;
  }
  return decoder;
}

/// The settings, one question each.
class DecoderSettings {
public:
  DecoderSettings(CompileJob &job, const Decoder &decoder, const DecoderConfig &config, EncodedBefore encoded,
                  Diagnostics &diagnostics)
      : job(job), decoder(decoder), config(config), encoded(std::move(encoded)), diagnostics(diagnostics) {}

  bool settle(ModuleOp module, CompilePart compilePart) {
    if (!settleSizes())
      return false;
    if (job.decoder->hasSession && !decoder.embedded.empty() &&
        !settleEmbedding(job, module, decoder, config, batch, chunk, compilePart, diagnostics, embedded))
      return false;
    for (const llvm::StringSet<> *taken : {&encoded.taken, &embedded.taken})
      for (const auto &dim : *taken)
        if (!decoder.dims.contains(dim.getKey()) || isOtherInEncoder(dim.getKey()))
          job.import.dims.erase(dim.getKey());
    for (const DecoderCache &cache : decoder.caches) {
      job.conversion.states.push_back(cache.outputName + "=" + cache.inputName);
      if (cache.kind == CacheKind::Grows || cache.kind == CacheKind::Fixed)
        job.decoder->caches.push_back(cache.inputName);
    }
    std::string held, fresh;
    for (StringRef name : symbols()) {
      DimRole role = decoder.dims.lookup(name);
      if (role == DimRole::Held)
        held = name.str();
      else if (role == DimRole::New)
        fresh = name.str();
    }
    bool hasCopy = false;
    for (StringRef name : symbols())
      if (decoder.dims.lookup(name) == DimRole::Width && !config.headSize && !job.import.dims.contains(name) &&
          !job.polynomials.contains(name))
        return fail("the dim '" + name +
                        "' is the width of rows of the caches, which neither the model nor a "
                        "configuration beside it states",
                    "give it: --dim " + name + "=64");
    for (StringRef name : symbols())
      hasCopy |= settleDim(name, held, fresh);
    if (hasCopy && job.exactCopies.empty())
      job.exactCopies.push_back({{{fresh, 1}}});
    if (hasCopy && job.decoder->hasSession && chunk < context) {
      job.exactCopies.insert(job.exactCopies.begin(), ExactCopy{{}, true}); // of prompts all chunks but the last
      hasStatesCopy = true;
    }
    if (!settleAttentions())
      return false;
    if (job.decoder->hasSession)
      job.codegen.session = plan(module);
    if (job.decoder->hasSession && !decoder.encoded.empty()) {
      job.onlyOutputs = {decoder.logits};
      for (const DecoderCache &cache : decoder.caches)
        job.onlyOutputs.push_back(cache.outputName);
      llvm::append_range(job.onlyOutputs, attentions);
      job.import.dims.try_emplace("*", DimValue{1, 1}); // of inputs that only the first call reads
    }
    return true;
  }

private:
  /// In the order of their names, so that all that follows is always the same.
  std::vector<StringRef> symbols() const {
    std::vector<StringRef> names;
    for (const auto &dim : decoder.dims)
      names.push_back(dim.getKey());
    llvm::sort(names);
    return names;
  }

  /// Exporters give what an encoder takes and what it makes one name, also where it makes other numbers of rows.
  bool isOtherInEncoder(StringRef dim) const {
    return decoder.dims.lookup(dim) == DimRole::Encoded && (encoded.rows || !encoded.rowsBy.empty());
  }

  bool fail(const Twine &what, const Twine &hint) {
    diagnostics.report({Code::UnclearDecoder, what.str(), {}, hint.str()});
    return false;
  }

  /// As many as are asked for; of several lengths one where these cannot go side by side.
  int64_t sequencesSideBySide() {
    const DecoderWish &wish = *job.decoder;
    if (wish.paddedRows == 0 || wish.batch == 1)
      return wish.batch;
    std::string reason = decoder.noPadding;
    if (decoder.batch.value_or(wish.batch) != wish.batch)
      reason = "the model takes " + std::to_string(*decoder.batch) + " in each call";
    else if (reason.empty() && wish.paddedRows > context)
      reason = "side by side they take " + std::to_string(wish.paddedRows) + " rows of the caches, and these hold " +
               std::to_string(context);
    if (reason.empty())
      return wish.batch;
    diagnostics.note("sequences of several lengths go one after the other: " + reason);
    return 1;
  }

  bool settleSizes() {
    const DecoderWish &wish = *job.decoder;
    std::optional<int64_t> most = decoder.positions ? std::optional(decoder.positions) : config.positions;
    context = wish.context.value_or(decoder.capacity.value_or(std::min(most.value_or(mostByDefault), mostByDefault)));
    const int64_t wished = sequencesSideBySide();
    batch = decoder.batch.value_or(wished);
    if (wished != 1 && wished != batch)
      return fail("--batch " + Twine(wished) + ": the model has " + Twine(batch), "leave --batch away");
    // Products read weights once for a chunk. Tile registers multiply so fast that reading them more often would show.
    const int64_t usualChunk = job.codegen.target.tileRegisters ? 128 : 32;
    // Exporters trace later calls of such decoders with one token, and masks between new tokens are left out.
    chunk = decoder.fresh.value_or(wish.chunk.value_or(decoder.encoded.empty() ? usualChunk : 1));
    if (decoder.capacity && context > *decoder.capacity)
      return fail("--context " + Twine(context) + ": the model's caches hold " + Twine(*decoder.capacity) + " rows",
                  "their size is fixed in the model");
    if (decoder.positions && context > decoder.positions)
      return fail("--context " + Twine(context) + ": the model has " + Twine(decoder.positions) + " positions",
                  "no token can stand behind them");
    if (decoder.fresh.value_or(1) != 1)
      return fail("the model takes " + Twine(chunk) + " tokens in each call, no more and no less",
                  "export it with a symbol for the number of tokens, or with one token");
    if (chunk > context)
      chunk = decoder.fresh ? chunk : context;
    if (wish.rows > chunk)
      return fail("logits of " + Twine(wish.rows) + " tokens: a call has " + Twine(chunk) + " new ones at most",
                  "--chunk " + Twine(wish.rows) + " lets it have as many, where the model does");
    if ((wish.rows > 1 || wish.hidden) &&
        llvm::any_of(decoder.caches, [](const auto &cache) { return cache.kind == CacheKind::Whole; }))
      return fail(Twine(wish.rows > 1 ? "logits of several tokens" : "hidden states") +
                      " are for taking some of them back, which the model cannot: it has states of no rows",
                  wish.rows > 1 ? "leave --logit-rows, --speculate and --draft away"
                                : "leave --hidden-states and --penalty-alpha away");
    return true;
  }

  /// A name that no output has.
  std::string hiddenStates(ModuleOp module) const {
    std::string name = "hidden_states";
    auto main = module.lookupSymbol<func::FuncOp>("main");
    for (unsigned i = 0; i < main.getNumResults();)
      if (main.getResultAttrOfType<StringAttr>(i++, "sinter.name") == name)
        name += "_", i = 0;
    return name;
  }

  bool settleAttentions() {
    if (!job.decoder->attentions)
      return true;
    if (decoder.attentions.empty())
      return fail("no output of the decoder is the attention of a layer to what was encoded",
                  "export it with these: Optimum by model_kwargs=dict(output_attentions=True) and outputs "
                  "cross_attentions.0, ... in its OnnxConfig, ONNX Runtime's convert_to_onnx by --output_cross_qk");
    if (job.decoder->attentions->empty())
      attentions = decoder.attentions;
    for (int64_t layer : *job.decoder->attentions)
      if (layer < static_cast<int64_t>(decoder.attentions.size()))
        attentions.push_back(decoder.attentions[static_cast<size_t>(layer)]);
      else
        return fail("the cross-attentions of layer " + Twine(layer) + ": the decoder gives those of " +
                        Twine(decoder.attentions.size()) + " layers",
                    "layers count from 0; is the configuration that of another model?");
    return true;
  }

  /// What the user has said of a dim stays. Whether single tokens get code of their own by it.
  bool settleDim(StringRef name, StringRef held, StringRef fresh) {
    if (job.import.dims.contains(name) || job.polynomials.contains(name))
      return false;
    auto range = [&](int64_t low, int64_t high) { job.import.dims[name] = {low, high}; };
    switch (decoder.dims.lookup(name)) {
    case DimRole::Batch:
      range(batch, batch);
      break;
    case DimRole::Capacity:
      range(context, context);
      break;
    case DimRole::Encoded:
      range(encoded.rows.value_or(1), encoded.rows.value_or(encoded.most));
      break;
    case DimRole::Width:
      range(*config.headSize, *config.headSize);
      break;
    case DimRole::Held:
      if (name == held)
        range(0, context);
      else // another cache's name for the same rows
        job.polynomials[name] = NamedPolynomial::of(held.str());
      break;
    case DimRole::New:
      if (name == fresh)
        range(1, chunk);
      else
        job.polynomials[name] = NamedPolynomial::of(fresh.str());
      return name == fresh && chunk > 1;
    case DimRole::Total:
      if (held.empty() || fresh.empty())
        range(1, context);
      else
        job.polynomials[name] = *parseNamedPolynomial(held.str() + "+" + fresh.str());
      break;
    }
    return false;
  }

  static SessionInput sessionInputOf(InputRole role) {
    switch (role) {
    case InputRole::Tokens:
      return SessionInput::Tokens;
    case InputRole::Positions:
      return SessionInput::Positions;
    case InputRole::Mask:
      return SessionInput::Mask;
    case InputRole::Held:
      return SessionInput::Held;
    case InputRole::Total:
      return SessionInput::Total;
    case InputRole::LastRow:
      return SessionInput::LastRow;
    case InputRole::Encoded:
      return SessionInput::Encoded;
    case InputRole::EncodedMask:
      return SessionInput::Ones;
    case InputRole::Embedded:
      return SessionInput::Embedded;
    case InputRole::Zeros:
      break;
    }
    return SessionInput::Zeros;
  }

  SessionPlan plan(ModuleOp module) const {
    SessionPlan plan;
    plan.context = context;
    plan.vocabulary = decoder.vocabulary;
    plan.batch = batch;
    plan.chunk = chunk;
    plan.hasPads = batch > 1 && decoder.noPadding.empty();
    plan.noPadding = decoder.noPadding;
    plan.rows = job.decoder->rows;
    plan.hasStatesCopy = hasStatesCopy;
    plan.logits = decoder.logits;
    for (const auto &input : decoder.inputs)
      plan.inputs[input.getKey()] = {
          sessionInputOf(input.getValue()), 0,
          (input.getValue() == InputRole::Embedded ? embedded.made : encoded.made).lookup(input.getKey())};
    plan.embed = embedded.embed;
    plan.fronts = embedded.fronts;
    plan.attentions = attentions;
    plan.hidden = job.decoder->hidden ? hiddenStates(module) : "";
    plan.adapters = job.switched;
    if (!job.switched.empty())
      plan.inputs[adapterWeights] = {SessionInput::Adapters, 0, {}};
    plan.encode = encoded.programs;
    plan.encoded = encoded.rows;
    plan.encodedBy = encoded.rowsBy;
    for (const DecoderCache &cache : decoder.caches)
      plan.inputs[cache.inputName] = {cache.kind == CacheKind::Counter ? SessionInput::Counter
                                      : cache.kind == CacheKind::Whole ? SessionInput::Whole
                                                                       : SessionInput::Cache,
                                      cache.axis,
                                      {}};
    for (const auto &dim : decoder.dims) {
      DimRole role = dim.getValue();
      if (role == DimRole::New)
        plan.dims[dim.getKey()] = SessionDim::New;
      else if (role == DimRole::Held)
        plan.dims[dim.getKey()] = SessionDim::Held;
      else if (role == DimRole::Total)
        plan.dims[dim.getKey()] = SessionDim::Total;
      else if (role == DimRole::Encoded)
        plan.dims[dim.getKey()] = SessionDim::Encoded;
    }
    return plan;
  }

  CompileJob &job;
  const Decoder &decoder;
  const DecoderConfig &config;
  EncodedBefore encoded;
  EmbeddedBefore embedded;
  Diagnostics &diagnostics;
  int64_t batch = 1, chunk = 1, context = 1;
  bool hasStatesCopy = false;
  std::vector<std::string> attentions; ///< that the session has
};

} // namespace

ExitStatus settleDecoder(CompileJob &job, Diagnostics &diagnostics, CompilePart compilePart) {
  if (!job.decoder)
    return ExitOk;
  job.generates = true;
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module;
  std::optional<Decoder> decoder = recognize(job, context, module, diagnostics);
  if (!decoder)
    return ExitModel;
  for (const std::string &path : brokenConfigsBeside(job.model))
    diagnostics.note(path + " is left out: it is no object of JSON, or larger or deeper than such files are");
  DecoderConfig config = decoderConfigBeside(job.model);
  if (job.decoder->draftOf)
    if (std::optional<Problem> problem = whyNoDraft(*job.decoder->draftOf, *decoder, config)) {
      diagnostics.report(std::move(*problem));
      return ExitModel;
    }
  EncodedBefore encoded;
  encoded.most = sourceLimit(job, config);
  if (decoder->encoded.empty() && !job.decoder->encoder.empty()) {
    diagnostics.report({Code::NoEncoder,
                        "--encoder " + job.decoder->encoder + ": the decoder reads nothing that an encoder makes",
                        {},
                        "leave --encoder away, or name the decoder that goes with it"});
    return ExitModel;
  }
  job.adapterSide = !decoder->encoded.empty()    ? AdapterSide::Decoder
                    : !decoder->embedded.empty() ? AdapterSide::Text
                                                 : AdapterSide::Whole;
  if (!decoder->encoded.empty() && job.decoder->hasSession)
    if (ExitStatus status = settleEncoder(job, *module, *decoder, config, compilePart, diagnostics, encoded);
        status != ExitOk)
      return status;
  if (!DecoderSettings(job, *decoder, config, std::move(encoded), diagnostics).settle(*module, compilePart))
    return ExitModel;
  return ExitOk;
}

} // namespace sinter
