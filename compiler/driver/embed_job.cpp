// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/embed_job.h"

#include "driver/decoder_folder.h"
#include "graph/decoder_caches.h"
#include "graph/input_hints.h"

using namespace mlir;

namespace sinter {
namespace {

class EmbeddingSettings : PartSettings {
public:
  EmbeddingSettings(const CompileJob &job, ModuleOp module, const Decoder &decoder, const DecoderConfig &config,
                    int64_t batch, int64_t chunk, CompilePart compilePart, Diagnostics &diagnostics,
                    EmbeddedBefore &embedded)
      : PartSettings(job, compilePart, diagnostics), module(module), decoder(decoder), config(config), batch(batch),
        chunk(chunk), embedded(embedded) {}

  bool settle() {
    return addEmbedding() && addFront(ModelPart::Vision, "vision") && addFront(ModelPart::Audio, "audio");
  }

private:
  /// What the user says of a dim by its name. Whether anything is said.
  bool isSaid(StringRef symbol, CompileJob &part) {
    if (part.import.dims.contains(symbol))
      return true;
    auto said = job.import.dims.find(symbol);
    if (said == job.import.dims.end())
      return false;
    part.import.dims[symbol] = said->second;
    embedded.taken.insert(symbol);
    return true;
  }

  bool addEmbedding() {
    auto main = module.lookupSymbol<func::FuncOp>("main");
    DecoderTensor wanted = decoderInput(main, decoder.embedded.front());
    std::optional<std::string> path = partFileBeside(job.model, ModelPart::Embedding);
    if (!path)
      return fail(Code::NoEncoder,
                  "'" + wanted.name +
                      "' holds rows of embeddings, and no model that looks them up lies beside the "
                      "decoder",
                  "exporters write embed_tokens.onnx or embedding.onnx into the same folder");
    OwningOpRef<ModuleOp> model = import(*path, *module.getContext());
    if (!model)
      return false;
    auto own = model->lookupSymbol<func::FuncOp>("main");
    llvm::StringMap<InputHints> hints = inputHintsOf(*model);
    std::vector<DecoderTensor> inputs;
    for (unsigned i = 0; i < own.getNumArguments(); ++i)
      inputs.push_back(decoderInput(own, i));
    const DecoderTensor *tokens = nullptr;
    int64_t most = 0;
    for (const DecoderTensor &input : inputs)
      if (int64_t rows = hints.lookup(input.name).rows;
          isa_and_nonnull<IntegerType>(input.element) && input.sizes.size() <= 2 && rows > most)
        std::tie(tokens, most) = std::pair(&input, rows);
    if (!tokens)
      return fail(Code::UnclearDecoder, *path + " takes no tokens: none of its inputs chooses rows of a table",
                  "it looks up the rows that '" + wanted.name + "' of the decoder holds");
    CompileJob part = partOf(job, *path, "embed");
    part.adapterSide = AdapterSide::Text;
    EncodeProgram program;
    for (const DecoderTensor &input : inputs)
      if (!addInput(input, &input == tokens, *path, part, program))
        return false;
    if (!compile(part, program))
      return false;
    for (unsigned index : decoder.embedded)
      if (!takeFrom(own, decoderInput(main, index), *path))
        return false;
    embedded.embed = std::move(program);
    return true;
  }

  /// Tokens; or rows of what is seen and heard, none here: the session's caller gives these to the decoder itself.
  bool addInput(const DecoderTensor &input, bool isTokens, StringRef path, CompileJob &part, EncodeProgram &program) {
    bool isFloat = isa_and_nonnull<FloatType>(input.element);
    program.inputs[input.name] = {isTokens ? EncodeInput::Values : isFloat ? EncodeInput::None : EncodeInput::Ones, {}};
    bool isEmpty = false;
    for (auto [i, symbol] : llvm::enumerate(input.symbols)) {
      if (symbol.empty())
        continue;
      bool isRows = isFloat && !isEmpty;
      isEmpty |= isFloat;
      if (isSaid(symbol, part))
        continue;
      if (isRows)
        part.import.dims[symbol] = {0, 0};
      else if (!isFloat && i + 1 == input.symbols.size())
        part.import.dims[symbol] = {1, chunk};
      else
        part.import.dims[symbol] = {isFloat ? 1 : batch, isFloat ? 1 : batch};
    }
    if (isFloat && !isEmpty)
      return fail(Code::UnclearDecoder,
                  "'" + input.name + "' of " + path +
                      " has a fixed number of rows, and not every token is seen or heard",
                  "export it with a symbol for how many rows there are");
    return true;
  }

  bool takeFrom(func::FuncOp own, const DecoderTensor &wanted, StringRef path) {
    const size_t before = embedded.made.size();
    size_t most = 0;
    for (unsigned i = 0; i < own.getNumResults(); ++i) {
      DecoderTensor output = decoderOutput(own, i);
      if (size_t like = likeness(wanted.name, output.name) + 1; fits(wanted, output) && like > most) {
        most = like;
        embedded.made[wanted.name] = {0, output.name};
      }
    }
    return embedded.made.size() > before ||
           fail(Code::NoEncoder, "nobody makes '" + wanted.name + "': none of the outputs of " + path + " fits it",
                "the decoder and what looks up its rows are of one export");
  }

  /// As large as what is given; else one picture, of the configuration's size. All else is said by --dim.
  bool addFront(ModelPart kind, StringRef name) {
    std::optional<std::string> path = partFileBeside(job.model, kind);
    if (!path)
      return true;
    OwningOpRef<ModuleOp> model = import(*path, *module.getContext());
    if (!model)
      return false;
    CompileJob part = partOf(job, *path, name);
    part.adapterSide = AdapterSide::Front;
    auto main = model->lookupSymbol<func::FuncOp>("main");
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      DecoderTensor input = decoderInput(main, i);
      size_t rank = input.symbols.size();
      for (auto [axis, symbol] : llvm::enumerate(input.symbols)) {
        if (symbol.empty() || isSaid(symbol, part))
          continue;
        auto given = job.decoder->given.find(input.name);
        if (given != job.decoder->given.end() && given->second.size() == rank)
          part.import.dims[symbol] = {given->second[axis], given->second[axis]};
        else if (axis == 0)
          part.import.dims[symbol] = {1, 1};
        else if (kind == ModelPart::Vision && rank >= 4 && axis + 2 >= rank)
          if (std::optional<int64_t> size = config.sizeOfPictures(axis + 4 - rank))
            part.import.dims[symbol] = {*size, *size};
      }
    }
    EncodeProgram program;
    if (!compile(part, program))
      return false;
    embedded.fronts.push_back(std::move(program));
    return true;
  }

  ModuleOp module;
  const Decoder &decoder;
  const DecoderConfig &config;
  int64_t batch, chunk;
  EmbeddedBefore &embedded;
};
} // namespace

bool settleEmbedding(const CompileJob &job, ModuleOp module, const Decoder &decoder, const DecoderConfig &config,
                     int64_t batch, int64_t chunk, CompilePart compilePart, Diagnostics &diagnostics,
                     EmbeddedBefore &embedded) {
  return EmbeddingSettings(job, module, decoder, config, batch, chunk, compilePart, diagnostics, embedded).settle();
}

} // namespace sinter
