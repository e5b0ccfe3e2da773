// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/encoder_job.h"

#include "driver/decoder_folder.h"
#include "graph/cross_caches.h"
#include "graph/decoder_caches.h"
#include "graph/passes.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace sinter {
namespace {

bool isInteger(const DecoderTensor &tensor) {
  auto integer = dyn_cast_or_null<IntegerType>(tensor.element);
  return integer && integer.getWidth() >= 32;
}
bool saysMask(StringRef name) { return StringRef(name.lower()).contains("mask"); }

/// A tensor that a program has made, or that another one takes.
struct Place {
  MadeBefore made;
  DecoderTensor tensor;
};

class EncoderSettings : PartSettings {
public:
  EncoderSettings(const CompileJob &job, ModuleOp module, const Decoder &decoder, const DecoderConfig &config,
                  CompilePart compilePart, Diagnostics &diagnostics, EncodedBefore &encoded)
      : PartSettings(job, compilePart, diagnostics), module(module), decoder(decoder), config(config), encoded(encoded),
        batch(decoder.batch.value_or(job.decoder->batch)) {}

  bool settle() {
    auto main = module.lookupSymbol<func::FuncOp>("main");
    for (unsigned index : decoder.encoded)
      wanted.push_back(decoderInput(main, index));
    if (!addEncoder())
      return false;
    take();
    return wanted.empty() || addCrossCaches();
  }

private:
  bool addProgram(const CompileJob &part, llvm::StringMap<EncodeProgram::Role> roles, StringRef source) {
    EncodeProgram program;
    if (!compile(part, program))
      return false;
    for (auto &role : roles)
      program.inputs[role.getKey()] = std::move(role.second);
    program.source = source.str();
    encoded.programs.push_back(std::move(program));
    return true;
  }

  bool addEncoder() {
    const std::string &named = job.decoder->encoder;
    std::optional<std::string> path = named.empty() ? encoderFileBeside(job.model) : named;
    if (!path)
      return fail(
          Code::NoEncoder, "'" + wanted.front().name + "' is what an encoder makes, and none lies beside the decoder",
          "exporters write encoder_model.onnx or encoder.onnx into the same folder; --encoder FILE names another one");
    if (!llvm::sys::fs::is_regular_file(*path))
      return fail(Code::NoEncoder, "--encoder " + *path + ": there is no such file",
                  "without --encoder it is the one beside the decoder");
    OwningOpRef<ModuleOp> encoder = import(*path, *module.getContext());
    if (!encoder)
      return false;
    auto main = encoder->lookupSymbol<func::FuncOp>("main");
    llvm::StringMap<InputHints> hints = inputHintsOf(*encoder);
    std::vector<DecoderTensor> inputs;
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      inputs.push_back(decoderInput(main, i));
    const DecoderTensor *values = valuesAmong(inputs, hints);
    if (!values)
      return fail(Code::UnclearDecoder, "the encoder " + *path + " takes neither tokens nor frames of features",
                  "it has an input of integers that choose from a table, or one of floats whose last dim are frames");
    CompileJob part = partOf(job, *path, "encoder");
    part.adapterSide = AdapterSide::Encoder;
    llvm::StringMap<EncodeProgram::Role> roles;
    std::string source = values->symbols.back();
    bool isPicture = !isInteger(*values) && values->sizes.size() == 4;
    if (!isInteger(*values) && values->sizes.size() == 2 && !source.empty() && !job.decoder->source &&
        !job.import.dims.contains(source))
      return fail(Code::UnclearDecoder,
                  "how many samples the encoder's '" + values->name + "' takes in one call, nobody states",
                  "--source 16000: always as many; --dim " + source + "=1000..16000: any number between these");
    for (const DecoderTensor &input : inputs) {
      roles[input.name] = {&input == values ? EncodeInput::Values : roleOf(input, hints), {}};
      if (&input != values && !isInteger(input) && !input.element.isInteger(1))
        return fail(Code::UnclearDecoder, "nobody knows what to give for the input '" + input.name + "' of " + *path,
                    "an encoder takes tokens or features, a mask, positions and segments");
      for (auto [i, symbol] : llvm::enumerate(input.symbols)) {
        if (symbol.empty() || part.import.dims.contains(symbol) || part.polynomials.contains(symbol))
          continue;
        bool isLast = i + 1 == input.symbols.size();
        if (auto said = job.import.dims.find(symbol); said != job.import.dims.end())
          part.import.dims[symbol] = said->second, encoded.taken.insert(symbol);
        else if (i == 0 && !isLast)
          part.import.dims[symbol] = {batch, batch};
        else if (isPicture && &input == values) {
          std::optional<int64_t> size = config.sizeOfPictures(i);
          if (!size)
            return fail(Code::UnclearDecoder,
                        "the dim '" + symbol + "' of the encoder's '" + input.name +
                            "' is a size of pictures, which nobody states",
                        "config.json beside the model says it: num_channels, image_size; else --dim " + symbol +
                            "=384 does");
          part.import.dims[symbol] = {*size, *size};
        } else if (!isLast && config.features)
          part.import.dims[symbol] = {*config.features, *config.features};
        else if (!isLast)
          return fail(Code::UnclearDecoder,
                      "the dim '" + symbol + "' of the encoder's '" + input.name +
                          "' is how many features a frame has, which nobody states",
                      "config.json beside the model says it: num_mel_bins");
        else if (symbol == source)
          part.import.dims[symbol] = {isInteger(*values) ? 1 : encoded.most, encoded.most};
        else
          part.polynomials[symbol] = NamedPolynomial::of(source);
      }
    }
    if (!addProgram(part, std::move(roles), source))
      return false;
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      made.push_back({{0, decoderOutput(main, i).name}, decoderOutput(main, i)});
    return settleRows();
  }

  /// Tokens: integers that choose among the most rows; or the one input of floats.
  const DecoderTensor *valuesAmong(const std::vector<DecoderTensor> &inputs,
                                   const llvm::StringMap<InputHints> &hints) const {
    const DecoderTensor *best = nullptr;
    int64_t most = 0;
    for (const DecoderTensor &input : inputs) {
      int64_t rows = isInteger(input) && input.sizes.size() == 2 && !saysMask(input.name)
                         ? hints.lookup(input.name).rows
                     : input.element && input.element.isF32() && input.sizes.size() >= 2 ? 1
                                                                                         : 0;
      if (rows > most)
        std::tie(best, most) = std::pair(&input, rows);
    }
    return best;
  }

  EncodeInput roleOf(const DecoderTensor &input, const llvm::StringMap<InputHints> &hints) const {
    int64_t rows = hints.lookup(input.name).rows;
    constexpr int64_t segments = 4;
    if (saysMask(input.name) || rows == 0)
      return EncodeInput::Ones;
    return rows <= segments ? EncodeInput::Zeros : EncodeInput::Positions;
  }

  /// How many rows the encoder's first result has.
  bool settleRows() {
    const EncodeProgram &program = encoded.programs.front();
    for (const InterfaceTensor &output : program.interface.outputs) {
      if (output.dims.size() < 3)
        continue;
      const InterfaceDim &dim = output.dims[output.dims.size() - 2];
      if (dim.size >= 0) {
        encoded.rows = dim.size;
      } else if (dim.symbol != program.source) {
        if (dim.max < 0)
          return fail(Code::UnclearDecoder,
                      "how many rows the encoder's '" + output.name + "' may have at most is not known",
                      "it has as many as there are tokens, or a fixed number of frames is given: --source");
        encoded.rowsBy = output.name;
        encoded.most = dim.max;
      }
      return true;
    }
    return fail(Code::UnclearDecoder, "the encoder makes no states: none of its outputs has three dims",
                "it gives float[batch, rows, width]");
  }

  const Place *bestFor(const DecoderTensor &input) const {
    const Place *best = nullptr;
    size_t most = 0;
    for (const Place &place : made)
      if (size_t like = likeness(input.name, place.tensor.name) + 1; fits(input, place.tensor) && like > most)
        std::tie(best, most) = std::pair(&place, like);
    return best;
  }

  /// Of what the decoder wants all that is there.
  void take() {
    llvm::erase_if(wanted, [&](const DecoderTensor &input) {
      const Place *place = bestFor(input);
      if (place)
        encoded.made[input.name] = place->made;
      return place != nullptr;
    });
  }

  bool addCrossCaches() {
    std::string path = firstCallFileOf(job.model);
    OwningOpRef<ModuleOp> first = import(path, *module.getContext());
    if (!first || failed(settleFirstCall(*first)))
      return false;
    std::vector<std::string> caches = crossCachesOf(*first);
    auto main = first->lookupSymbol<func::FuncOp>("main");
    std::vector<Place> before = std::move(made);
    made.clear();
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (DecoderTensor output = decoderOutput(main, i); llvm::is_contained(caches, output.name))
        made.push_back({{1, output.name}, output});
    take();
    if (!wanted.empty())
      return fail(
          Code::NoEncoder,
          "nobody makes '" + wanted.front().name + "': neither the encoder nor the first call of the decoder, " + path,
          "exporters write decoder_model_merged.onnx, or decoder_model.onnx beside decoder_with_past_model.onnx");
    CompileJob part = partOf(job, path, "cross");
    part.adapterSide = AdapterSide::Decoder;
    part.isFirstCall = true;
    for (const auto &entry : encoded.made)
      if (entry.second.program == 1)
        part.onlyOutputs.push_back(entry.second.output);
    llvm::sort(part.onlyOutputs);
    part.onlyOutputs.erase(llvm::unique(part.onlyOutputs), part.onlyOutputs.end());
    keepOutputs(*first, part.onlyOutputs);
    made = std::move(before);
    llvm::StringMap<EncodeProgram::Role> roles;
    part.import.dims["*"] = {1, 1}; // of tokens, whose number alone may be asked, and of what is left out
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      DecoderTensor input = decoderInput(main, i);
      const Place *place = isa_and_nonnull<FloatType>(input.element) ? bestFor(input) : nullptr;
      if (place)
        roles[input.name] = {EncodeInput::Made, place->made};
      for (auto [axis, symbol] : llvm::enumerate(input.symbols)) {
        if (symbol.empty())
          continue;
        if (place && axis + 2 == input.symbols.size())
          part.import.dims[symbol] = {encoded.rows.value_or(1), encoded.rows.value_or(encoded.most)};
        else if (axis == 0)
          part.import.dims[symbol] = {batch, batch};
      }
    }
    return addProgram(part, std::move(roles), "");
  }

  ModuleOp module;
  const Decoder &decoder;
  const DecoderConfig &config;
  EncodedBefore &encoded;
  int64_t batch;
  std::vector<DecoderTensor> wanted; ///< by the decoder, and not made yet
  std::vector<Place> made;
};
} // namespace

int64_t sourceLimit(const CompileJob &job, const DecoderConfig &config) {
  constexpr int64_t usual = 512;
  return job.decoder->source.value_or(config.frames ? *config.frames
                                                    : std::min(config.positions.value_or(usual), usual));
}

ExitStatus settleEncoder(const CompileJob &job, ModuleOp module, const Decoder &decoder, const DecoderConfig &config,
                         CompilePart compilePart, Diagnostics &diagnostics, EncodedBefore &encoded) {
  return EncoderSettings(job, module, decoder, config, compilePart, diagnostics, encoded).settle() ? ExitOk : ExitModel;
}

} // namespace sinter
