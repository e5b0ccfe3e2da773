// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter generate: compiles a decoder with its session, builds the program of runner/generate.cpp around it, and lets
// it go on from a prompt. Tokens pass from that program to stdout as they are made.
#include "driver/answer.h"
#include "driver/decoder_folder.h"
#include "driver/decoder_program.h"
#include "driver/encoded_program.h"
#include "driver/prompt_tokens.h"
#include "driver/talk.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

TokenSequences sequencesOf(ArrayRef<std::vector<int64_t>> ids) {
  TokenSequences sequences;
  sequences.shortest = ids.empty() ? 0 : std::numeric_limits<size_t>::max();
  for (const std::vector<int64_t> &sequence : ids) {
    sequences.shortest = std::min(sequences.shortest, sequence.size());
    sequences.longest = std::max(sequences.longest, sequence.size());
    for (int64_t id : sequence)
      sequences.greatest = std::max(sequences.greatest, id);
    sequences.lasts.push_back(sequence.empty() ? 0 : sequence.back());
    sequences.words += (sequences.words.empty() ? "" : ";") + listOfIds(sequence);
  }
  sequences.count = std::max<size_t>(ids.size(), 1);
  return sequences;
}

/// Nothing after a message.
std::optional<TokenSequences> sequencesOfWords(ArrayRef<std::string> words) {
  std::vector<std::vector<int64_t>> ids;
  for (const std::string &each : words) {
    std::optional<std::vector<int64_t>> sequence = parseIds(each);
    if (!sequence) {
      printError("--ids " + each + " is no list of tokens, such as 1,5,7");
      return std::nullopt;
    }
    ids.push_back(std::move(*sequence));
  }
  return sequencesOf(ids);
}

/// What the program of runner/generate.cpp makes of sequences of tokens; `said`: of which prompts these are, else null.
ExitStatus goOnFrom(const TokenSequences &sequences, const TextProgram *said, const CompileFlags &flags,
                    CompileJob &job, const TextFlags &text, ArrayRef<std::string> inputs, bool asJson) {
  job.decoder->hasSession = true;
  if (ExitStatus status = settleDrafts(text, said ? &said->parts.tokenizer : nullptr, job); status != ExitOk)
    return status;
  std::optional<std::vector<int64_t>> ends = said ? said->ends : text.stop.ends(job.model);
  if (!ends)
    return ExitUsage;
  std::optional<std::vector<std::string>> configured = text.configured(job.model, *ends, false);
  if (!configured)
    return ExitUsage;
  job.decoder->batch = sequences.sideBySide(text, *configured);
  if (!sequences.haveOneLength())
    job.decoder->paddedRows = sequences.rowsSideBySide(text, *configured);
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  DecoderProgram built;
  if (!built.given.read(inputs, decoderConfigBeside(job.model)))
    return ExitUsage;
  if (inputs.empty()) // a token that stands for a picture need not be one
    built.tokens.push_back({sequences.greatest, "that is gone on from"});
  append_range(built.tokens, tokensOf(text));
  if (ExitStatus status = buildDecoderProgram(flags, job, **staging, built); status != ExitOk)
    return status;

  std::string stats = (*staging)->file("stats.txt"), output = (*staging)->file("tokens.txt");
  std::vector<std::string> words = {sequences.words, listOfIds(*ends), stats,
                                    built.weights.empty() ? "" : (*staging)->file(built.weights)};
  llvm::append_range(words, *configured);
  llvm::append_range(words, text.words());
  llvm::append_range(words, built.given.words(**staging));
  if (ExitStatus status = runDecoderProgram(**staging, built, words, asJson || said ? output : ""); status != ExitOk)
    return status;
  GenerationStats made = readGenerationStats(stats);
  if (said)
    showTexts(job, said->parts.tokenizer, *ends, said->parts.chat ? ArrayRef<int64_t>() : ArrayRef(sequences.lasts),
              textOfFile(output), made, asJson);
  else if (asJson)
    answerGenerated(job, made, "tokens", jsonOfLines(textOfFile(output)));
  if (!asJson)
    errs() << "sinter: " << made.promptTokens << " tokens of the prompt at "
           << format("%.1f", made.promptTokensPerSecond()) << " tokens/s, then " << made.steps << " steps at "
           << format("%.1f", made.stepsPerSecond()) << " tokens/s\n";
  return ExitOk;
}

/// Several prompts, of a decoder or, where `source` says how it goes on, of an encoder-decoder.
ExitStatus goOnFromPrompts(ArrayRef<std::string> prompts, const CompileFlags &flags, CompileJob &job,
                           const TextFlags &text, const SourceFlags *source, bool asJson) {
  if (text.grammar.isGiven()) {
    printError("a grammar is of one text, and --prompt is given several times", "one call for each prompt");
    return ExitUsage;
  }
  TextProgram said;
  if (ExitStatus status = settleText(job, text, said); status != ExitOk)
    return status;
  if (source) { // the encoder knows what its tokens are
    said.parts.chat.reset();
    said.begin = -1;
  }
  std::vector<std::vector<int64_t>> tokens;
  if (ExitStatus status = promptTokens(said, text, prompts, tokens); status != ExitOk)
    return status;
  TokenSequences sequences = sequencesOf(tokens);
  if (!source)
    return goOnFrom(sequences, &said, flags, job, text, {}, asJson);
  EncodedSource encoded;
  encoded.ids = &sequences;
  encoded.texts = &said.parts.tokenizer;
  return generateEncoded(flags, job, text, *source, encoded, asJson);
}
} // namespace

int generateVerb(const Arguments &arguments) {
  CompileFlags flags;
  FlagList ids{"ids", Says("the tokens to go on from; given several times, several sequences"), Takes("1,5,7")};
  FlagList prompts{"prompt",
                   Says("the text to go on from, or to answer by the chat template; text comes out. Given several "
                        "times, several texts side by side"),
                   Takes("text")};
  TextFlags text;
  SourceFlags source;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {
      "sinter generate model.onnx --ids 1,5,7 --tokens 32     goes on from three tokens",
      "sinter generate folder/ --prompt 'Once upon a time'    an exported folder with its configuration and tokenizer",
      "sinter generate model.onnx --ids 1 --temperature 0.8 --top-p 0.95 --seed 7"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments,
          {"Compiles a decoder and lets it go on from tokens: by the most likely ones, or by draws.", examples}))
    return *status;
  CompileJob job;
  flags.decoder.isImplied = true;
  if (!flags.toJob(job))
    return ExitUsage;
  if (!job.codegen.target.isOfThisSystem()) {
    printError("--target " + job.codegen.target.name + " does not run here",
               "`sinter MODEL --decoder -o lib.a` makes a library for it");
    return ExitUsage;
  }
  text.usualTokens = 32;
  const bool isEncoded = !flags.decoder.encoder.empty() || encoderFileBeside(job.model).has_value();
  if (text.rows() > 1 && isEncoded) {
    printError(Twine(text.draft.empty() ? "--speculate is" : "--draft is") + " for decoders without an encoder",
               "leave it out: the text is the same");
    return ExitUsage;
  }
  job.decoder = flags.decoder.wish();
  if (!checkSearch(text, job))
    return ExitUsage;
  if (!text.stopText.empty() && (isEncoded || prompts.size() != 1)) {
    printError("--stop-text is for one --prompt, of a decoder without an encoder", "--stop 2,3 names tokens instead");
    return ExitUsage;
  }
  std::vector<std::string> inputs = flags.inputFiles();
  if (!inputs.empty() && !isEncoded && (ids.size() > 1 || prompts.size() > 1 || text.sampling.contrasts())) {
    printError("--input " + inputs.front() + " is for one sequence, and goes with no --penalty-alpha");
    return ExitUsage;
  }
  if (isEncoded) {
    if (!prompts.empty() + source.sound.getNumOccurrences() + !ids.empty() + !inputs.empty() != 1) {
      printError("one thing is encoded: --prompt, --ids, --sound or --input says which");
      return ExitUsage;
    }
    if (prompts.size() > 1)
      return goOnFromPrompts(prompts, flags, job, text, &source, asJson);
    std::optional<TokenSequences> sequences = sequencesOfWords(ids);
    if (!sequences)
      return ExitUsage;
    constexpr unsigned all = 1 << 20; // that the context has room for
    if (source.sound.getNumOccurrences() || !inputs.empty())
      text.usualTokens = all;
    EncodedSource encoded;
    encoded.text = prompts.empty() ? nullptr : &prompts.front();
    encoded.ids = ids.empty() ? nullptr : &*sequences;
    encoded.sound = source.sound.getNumOccurrences() ? &source.sound.getValue() : nullptr;
    encoded.inputs = inputs;
    return generateEncoded(flags, job, text, source, encoded, asJson);
  }
  if (source.isNeeded()) {
    printError(
        "--sound, --language, --task, --timestamps and thresholds are for encoder-decoders: no encoder lies beside " +
            job.model,
        "--encoder FILE names one");
    return ExitUsage;
  }
  if (!prompts.empty()) {
    if (!ids.empty()) {
      printError("--prompt and --ids exclude each other",
                 "`sinter tokenizer FILE --encode TEXT` gives the tokens of a text, for --ids");
      return ExitUsage;
    }
    return prompts.size() > 1 ? goOnFromPrompts(prompts, flags, job, text, nullptr, asJson)
                              : talk(flags, job, text, {"--", prompts.front()}, asJson, inputs);
  }
  if (text.grammar.isGiven()) {
    printError("a grammar is of text, and --ids makes tokens", "--prompt TEXT");
    return ExitUsage;
  }
  if (ids.empty()) {
    printError("--ids is missing: what is to be gone on from?", "--ids 1,5,7, or --prompt TEXT");
    return ExitUsage;
  }
  std::optional<TokenSequences> sequences = sequencesOfWords(ids);
  return sequences ? goOnFrom(*sequences, nullptr, flags, job, text, inputs, asJson) : ExitUsage;
}

} // namespace sinter
