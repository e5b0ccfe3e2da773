// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/encoded_program.h"

#include "driver/answer.h"
#include "driver/decoder_folder.h"
#include "driver/prompt_tokens.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace {

std::string listed(StringRef name, ArrayRef<int64_t> ids) {
  std::string text = listOfIds(ids);
  return (name + "=" + text + (text.empty() ? "" : ",")).str();
}

/// What runner/encoded.cpp is compiled with besides.
std::vector<std::string> macrosOf(const GenerationConfig &config, ArrayRef<int64_t> ends) {
  return {listed("SINTER_STOPS", ends),
          listed("SINTER_BEGIN", config.begin),
          listed("SINTER_LANGUAGES", config.languages),
          "SINTER_SILENCE=" + std::to_string(config.withoutTimes.value_or(0) - 1),
          listed("SINTER_WITHOUT_TIMES",
                 config.withoutTimes ? ArrayRef<int64_t>(*config.withoutTimes) : ArrayRef<int64_t>()),
          ("SINTER_TIMES=" + Twine(config.withoutTimes ? *config.withoutTimes + 1 : 0) + "," +
           Twine(ends.empty() ? 0 : ends.front()) + "," + Twine(config.latestBegin.value_or(-1)))
              .str()};
}

/// The layers of heads that words are found by, each once; and the heads: which of these layers, which of its heads.
std::vector<int64_t> layersOf(const GenerationConfig &config) {
  std::vector<int64_t> layers;
  for (const auto &[layer, head] : config.alignmentHeads)
    layers.push_back(layer);
  llvm::sort(layers);
  layers.erase(llvm::unique(layers), layers.end());
  return layers;
}
std::vector<std::string> macrosOfWords(const GenerationConfig &config) {
  std::vector<int64_t> layers = layersOf(config), heads;
  for (const auto &[layer, head] : config.alignmentHeads)
    heads.insert(heads.end(), {llvm::lower_bound(layers, layer) - layers.begin(), head});
  return {listed("SINTER_ALIGNMENT_HEADS", heads), listed("SINTER_BLANKLESS", config.blankless),
          "SINTER_MEDIAN_FILTER=" + std::to_string(config.medianFilter)};
}

/// A text, or its tokens where nobody makes a text of them.
json::Value shown(StringRef text, bool isText) {
  return isText ? json::Value(utf8(text)) : json::Value(jsonOfIds(text));
}

/// Lines such as "[0.00 --> 2.40] And so".
json::Array partsOf(StringRef lines, bool isText) {
  json::Array parts;
  for (StringRef line : split(lines, '\n')) {
    auto [times, text] = line.split(']');
    auto [begin, end] = times.split(" --> ");
    double from = 0, to = 0;
    if (!begin.consume_front("[") || begin.getAsDouble(from) || end.getAsDouble(to))
      continue;
    parts.push_back(
        json::Object{{"begin", from}, {"end", to}, {isText ? "text" : "tokens", shown(text.trim(), isText)}});
  }
  return parts;
}
} // namespace

std::optional<std::vector<std::string>> SourceFlags::attempts() const {
  std::vector<std::string> words;
  for (const Flag<std::string> *flag : {&compressionRatio, &logProbability, &silence, &temperatures}) {
    if (!flag->getNumOccurrences())
      continue;
    bool isList = flag == &temperatures;
    for (StringRef each : split(flag->getValue(), isList ? ',' : '\0')) {
      double number = 0;
      if (each.getAsDouble(number) || (isList && number < 0)) {
        printError(Twine("--") + flag->name + " " + flag->getValue() +
                   (isList ? " is no list of numbers" : " is no number"));
        return std::nullopt;
      }
    }
    words.insert(words.end(), {("--" + flag->name).str(), flag->getValue()});
  }
  bool isJudged = compressionRatio.getNumOccurrences() || logProbability.getNumOccurrences();
  if (!words.empty() && !isJudged) {
    printError("nothing says which texts are doubted", "--compression-ratio-threshold 1.35, --logprob-threshold -1");
    return std::nullopt;
  }
  return words;
}

ExitStatus generateEncoded(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const SourceFlags &source,
                           const EncodedSource &encoded, bool asJson) {
  DecoderConfig beside = decoderConfigBeside(job.model);
  if (encoded.sound && !beside.features && !beside.samples) {
    printError("--sound: " + job.model +
                   " is no model of speech: neither a configuration says num_mel_bins, nor "
                   "preprocessor_config.json sampling_rate",
               "--prompt TEXT gives it a text");
    return ExitUsage;
  }
  if ((encoded.text || encoded.ids) && beside.features) {
    printError("the model takes sound", "--sound FILE.wav");
    return ExitUsage;
  }
  DecoderProgram built;
  built.given.isOfText = encoded.text || encoded.ids;
  const bool isHeard = encoded.sound && beside.features; // as frames; else numbers lie in a file
  if (isHeard && !GivenInputs::isHeard(*encoded.sound))
    return ExitUsage;
  if (encoded.sound && !isHeard && !built.given.readSound(*encoded.sound, *beside.samples))
    return ExitUsage;
  if (!built.given.read(encoded.inputs, beside))
    return ExitUsage;
  std::optional<std::vector<int64_t>> ends = text.stop.ends(job.model);
  std::optional<GenerationConfig> config =
      generationConfigBeside(job.model, SpeechWish{source.language.getValue(), source.task.getValue()});
  if (!ends || !config)
    return ExitUsage;
  if (source.hasTimes() && !source.hasWords() && !source.timestamps.getValue().empty() &&
      source.timestamps.getValue() != "part") {
    printError("--timestamps " + source.timestamps + " is none of part, word");
    return ExitUsage;
  }
  if (source.hasTimes() && !isHeard) {
    printError("--timestamps: times are those of sound, which --sound FILE.wav gives to a model of speech");
    return ExitUsage;
  }
  if (source.hasTimes() && !config->withoutTimes) {
    printError("--timestamps: no token of " + job.model + " is a time",
               "generation_config.json of a model that knows times has no_timestamps_token_id");
    return ExitUsage;
  }
  if (source.hasWords() && config->alignmentHeads.empty()) {
    printError("--timestamps word: no configuration beside " + job.model + " says which heads follow the sound",
               "generation_config.json has them as alignment_heads");
    return ExitUsage;
  }
  std::optional<std::vector<std::string>> attempts = source.attempts();
  if (!attempts)
    return ExitUsage;
  if (!attempts->empty() && (!isHeard || text.beams > 1 || text.sampling.draws() || text.sampling.contrasts())) {
    printError("texts that are doubted are heard again: thresholds and --temperatures are for sound, and exclude "
               "--beams, --penalty-alpha and settings of draws");
    return ExitUsage;
  }
  if (text.beams > 1 && source.hasTimes()) {
    printError("--beams and --timestamps exclude each other: beams find texts without times");
    return ExitUsage;
  }
  std::optional<std::vector<std::string>> words =
      text.configured(job.model, *ends, source.hasTimes() || !attempts->empty());
  if (!words)
    return ExitUsage;
  llvm::append_range(*words, text.words());
  llvm::append_range(*words, *attempts);
  if (source.hasTimes())
    words->insert(words->end(), {"--timestamps", "1"});
  std::optional<tokenizer::CompiledTokenizer> compiled;
  bool showsText = encoded.text || (!encoded.ids && !(text.tokenizer.empty() && tokenizerBeside(job.model).empty()));
  if (showsText)
    if (ExitStatus status = compileTokenizerOf(job, text, compiled); status != ExitOk)
      return status;
  if (text.grammar.isGiven() && !compiled) {
    printError("a grammar is of text, and tokens come out", "--prompt TEXT, and a tokenizer beside the model");
    return ExitUsage;
  }
  TokenizerParts parts;
  if (compiled)
    parts.tokenizer = std::move(*compiled);
  if (ExitStatus status = compileGrammar(text.grammar, parts.grammar); status != ExitOk)
    return status;
  job.decoder = flags.decoder.wish();
  job.decoder->hasSession = true;
  job.decoder->batch = encoded.ids && encoded.ids->haveOneLength() ? encoded.ids->sideBySide(text, *words) : 1;
  job.decoder->hidden |= text.sampling.contrasts();
  if (source.hasWords())
    job.decoder->attentions = layersOf(*config);
  if (!job.decoder->source && job.import.dims.empty())
    job.decoder->source = built.given.samples();
  built.main = job.decoder->batch > 1 ? "encoded_batch.cpp" : "encoded.cpp";
  built.tokenizer = compiled ? &parts : nullptr;
  built.macros = macrosOf(*config, *ends);
  if (source.hasWords())
    llvm::append_range(built.macros, macrosOfWords(*config));
  if (isHeard)
    built.macros.push_back("SINTER_BANDS=" + std::to_string(*beside.features));
  append_range(built.tokens, tokensOf(text));
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  if (ExitStatus status = buildDecoderProgram(flags, job, **staging, built); status != ExitOk)
    return status;
  std::vector<std::string> all = built.given.words(**staging);
  if (built.given.isEmpty()) {
    const std::string *given = encoded.text ? encoded.text : encoded.ids ? &encoded.ids->words : encoded.sound;
    assert(given && "one of them is encoded");
    all = {encoded.text ? "--text" : encoded.ids ? "--ids" : "--sound", *given};
  }
  llvm::append_range(all, *words);
  if (!built.weights.empty())
    all.insert(all.end(), {"--weights", (*staging)->file(built.weights)});
  if (!asJson && !encoded.texts)
    return runDecoderProgram(**staging, built, all);
  std::string stats = (*staging)->file("stats.txt"), output = (*staging)->file("output.txt");
  all.insert(all.end(), {"--stats", stats});
  if (ExitStatus status = runDecoderProgram(**staging, built, all, output); status != ExitOk)
    return status;
  if (encoded.texts) {
    showTexts(job, *encoded.texts, *ends, {}, textOfFile(output), readGenerationStats(stats), asJson);
    return ExitOk;
  }
  bool hasParts = source.hasTimes();
  json::Value made = hasParts    ? json::Value(partsOf(textOfFile(output), showsText))
                     : showsText ? shown(textOfFile(output), showsText)
                                 : json::Value(jsonOfLines(textOfFile(output)));
  answerGenerated(job, readGenerationStats(stats), hasParts ? "parts" : showsText ? "text" : "tokens", std::move(made));
  return ExitOk;
}

} // namespace sinter
