// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter generate: compiles a decoder with its session, builds the program of runner/generate.cpp around it, and lets
// it go on from a prompt. Tokens pass from that program to stdout as they are made.
#include "driver/answer.h"
#include "driver/decoder_folder.h"
#include "driver/decoder_program.h"
#include "driver/encoded_program.h"
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

/// What the program says of its run.
struct GenerationStats {
  int64_t promptTokens = 0, steps = 0;
  double promptSeconds = 0, stepSeconds = 0;
};

GenerationStats readStats(StringRef path) {
  GenerationStats stats;
  if (auto file = MemoryBuffer::getFile(path)) {
    SmallVector<StringRef> parts;
    (*file)->getBuffer().trim().split(parts, ' ');
    if (parts.size() == 4) {
      parts[0].getAsInteger(10, stats.promptTokens);
      parts[1].getAsDouble(stats.promptSeconds);
      parts[2].getAsInteger(10, stats.steps);
      parts[3].getAsDouble(stats.stepSeconds);
    }
  }
  return stats;
}

double perSecond(int64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

} // namespace

int generateVerb(const Arguments &arguments) {
  CompileFlags flags;
  FlagList ids{"ids", Says("the tokens to go on from; given several times, sequences of one length side by side"),
               Takes("1,5,7")};
  Flag<std::string> prompt{"prompt", Says("the text to go on from, or to answer by the chat template; text comes out"),
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
  const unsigned tokens = text.tokens.getNumOccurrences() ? text.tokens.getValue() : 32;
  const bool isEncoded = !flags.decoder.encoder.empty() || encoderFileBeside(job.model).has_value();
  if (text.rows() > 1 && (isEncoded || ids.size() > 1)) {
    printError(Twine(text.draft.empty() ? "--speculate is" : "--draft is") +
                   " for one sequence, and for decoders without an encoder",
               "leave it out: the text is the same");
    return ExitUsage;
  }
  if (!checkBeams(text))
    return ExitUsage;
  if (text.beams > 1 && ids.size() > 1) {
    printError("--beams are of one sequence");
    return ExitUsage;
  }
  if (isEncoded) {
    if (asJson || prompt.getNumOccurrences() + source.sound.getNumOccurrences() + ids.size() != 1) {
      printError(asJson ? "--json: tokens of an encoder-decoder are shown as they come"
                        : "one text is encoded: --prompt, --ids or --sound says which");
      return ExitUsage;
    }
    std::vector<std::string> words = text.sampling.words();
    constexpr unsigned all = 1 << 20; // that the context has room for
    bool isSpeech = source.sound.getNumOccurrences() && !text.tokens.getNumOccurrences();
    words.insert(words.end(), {"--tokens", std::to_string(isSpeech ? all : tokens)});
    return generateEncoded(flags, job, text, source,
                           {prompt.getNumOccurrences() ? &prompt.getValue() : nullptr, ids.empty() ? nullptr : &ids[0],
                            source.sound.getNumOccurrences() ? &source.sound.getValue() : nullptr},
                           std::move(words));
  }
  if (source.isNeeded()) {
    printError("--sound, --language, --task and --timestamps are for encoder-decoders: no encoder lies beside " +
                   job.model,
               "--encoder FILE names one");
    return ExitUsage;
  }
  if (prompt.getNumOccurrences()) {
    if (!ids.empty() || asJson) {
      printError("--prompt " + Twine(asJson ? "--json: text is shown as it comes" : "and --ids exclude each other"),
                 "`sinter tokenizer FILE --encode TEXT` gives the tokens of a text, for --ids");
      return ExitUsage;
    }
    return talk(flags, job, text, {"--tokens", std::to_string(tokens), "--", prompt});
  }
  if (text.grammar.isGiven()) {
    printError("a grammar is of text, and --ids makes tokens", "--prompt TEXT");
    return ExitUsage;
  }
  if (ids.empty()) {
    printError("--ids is missing: what is to be gone on from?", "--ids 1,5,7, or --prompt TEXT");
    return ExitUsage;
  }
  std::string sequences;
  size_t length = 0;
  for (const std::string &each : ids) {
    std::optional<std::vector<int64_t>> sequence = parseIds(each);
    if (!sequence) {
      printError("--ids " + each + " is no list of tokens, such as 1,5,7");
      return ExitUsage;
    }
    if (length && sequence->size() != length) {
      printError("--ids " + each + ": " + Twine(sequence->size()) + " tokens beside " + Twine(length),
                 "sequences side by side have one length");
      return ExitUsage;
    }
    length = sequence->size();
    sequences += (sequences.empty() ? "" : ";") + listOfIds(*sequence);
  }
  job.decoder = flags.decoder.wish();
  job.decoder->hasSession = true;
  job.decoder->batch = static_cast<int64_t>(ids.size());
  if (ExitStatus status = settleDrafts(text, nullptr, job); status != ExitOk)
    return status;
  std::optional<std::vector<int64_t>> ends = text.stop.ends(job.model);
  if (!ends)
    return ExitUsage;
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  DecoderProgram built;
  if (ExitStatus status = buildDecoderProgram(flags, job, **staging, built); status != ExitOk)
    return status;

  std::string program = (*staging)->file(built.name), stats = (*staging)->file("stats.txt"),
              output = (*staging)->file("tokens.txt"), problem;
  std::vector<std::string> words = {
      program,          sequences, std::to_string(tokens),
      listOfIds(*ends), stats,     built.weights.empty() ? "" : (*staging)->file(built.weights)};
  llvm::append_range(words, text.sampling.words());
  if (text.beams > 1)
    words.insert(words.end(), {"--beams", std::to_string(text.beams)});
  std::vector<StringRef> references(words.begin(), words.end());
  std::optional<StringRef> redirects[] = {std::nullopt, asJson ? std::optional<StringRef>(output) : std::nullopt,
                                          std::nullopt};
  outs().flush();
  int status = sys::ExecuteAndWait(program, references, std::nullopt, redirects, 0, 0, &problem);
  if (status != 0) {
    if (!problem.empty())
      printError(problem);
    return ExitVerify;
  }
  GenerationStats made = readStats(stats);
  double prefill = perSecond(made.promptTokens, made.promptSeconds), steps = perSecond(made.steps, made.stepSeconds);
  if (!asJson) {
    errs() << "sinter: " << made.promptTokens << " tokens of the prompt at " << format("%.1f", prefill)
           << " tokens/s, then " << made.steps << " steps at " << format("%.1f", steps) << " tokens/s\n";
    return ExitOk;
  }
  json::Array all;
  if (auto file = MemoryBuffer::getFile(output))
    for (StringRef line : split((*file)->getBuffer().trim(), '\n')) {
      json::Array one;
      for (StringRef id : split(line, ' '))
        if (int64_t number; !id.getAsInteger(10, number))
          one.push_back(number);
      all.push_back(std::move(one));
    }
  answer(json::Object{{"model", utf8(job.model)},
                      {"target", job.codegen.target.name},
                      {"tokens", std::move(all)},
                      {"prompt_tokens", made.promptTokens},
                      {"prompt_tokens_per_second", prefill},
                      {"steps", made.steps},
                      {"steps_per_second", steps}});
  return ExitOk;
}

} // namespace sinter
