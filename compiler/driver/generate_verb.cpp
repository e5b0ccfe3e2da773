// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter generate: compiles a decoder with its session, builds the program of runner/generate.cpp around it, and lets
// it go on from a prompt. Tokens pass from that program to stdout as they are made.
#include "driver/answer.h"
#include "driver/build_program.h"
#include "driver/decoder_folder.h"
#include "driver/progress.h"
#include "driver/sampling_flags.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

/// "1,5,7"
std::optional<std::vector<int64_t>> parseIds(StringRef text) {
  std::vector<int64_t> ids;
  for (StringRef part : split(text, ',')) {
    int64_t id;
    if (part.trim().getAsInteger(10, id) || id < 0)
      return std::nullopt;
    ids.push_back(id);
  }
  return ids;
}

std::string listText(ArrayRef<int64_t> ids) {
  return join(map_range(ids, [](int64_t id) { return std::to_string(id); }), ",");
}

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

/// The program in the staging folder; ExitOk, or the status to end with.
ExitStatus buildGenerator(const CompileFlags &flags, CompileJob &job, const Staging &staging, CompiledModel &compiled,
                          std::string &program) {
  Expected<Cxx> cxx = findCxx(job.codegen.target, flags.cxx, flags.optimization);
  if (!cxx) {
    printError(toString(cxx.takeError()), compilerHint(job.codegen.target));
    return ExitUsage;
  }
  Diagnostics diagnostics;
  Progress progress("compiling " + job.model);
  ExitStatus status = compileModel(job, staging, diagnostics, compiled);
  progress.done();
  tell(diagnostics, job.model);
  if (status != ExitOk)
    return status;
  progress.step("building it for " + job.codegen.target.name);
  cxx->linkWith(compiled.libraries);
  auto fail = [&](Error error) {
    progress.done();
    printError(toString(std::move(error)), job.codegen.userHeaders.empty() ? "" : userCodeHint);
    return ExitInternal;
  };
  Expected<std::vector<std::string>> objects = cxx->compile(staging.folder(), compiled.sources());
  if (!objects)
    return fail(objects.takeError());
  Expected<std::string> main = compileGenerator(*cxx, staging.folder(), job.codegen);
  if (!main)
    return fail(main.takeError());
  objects->push_back(*main);
  program = staging.file("generate");
  if (Error error = cxx->linkProgram(*objects, program, /*isStatic=*/false))
    return fail(std::move(error));
  return ExitOk;
}

} // namespace

int generateVerb(const Arguments &arguments) {
  CompileFlags flags;
  FlagList ids{"ids", Says("the tokens to go on from; given several times, sequences of one length side by side"),
               Takes("1,5,7")};
  Flag<unsigned> tokens{"tokens", Says("how many tokens to make at most"), Takes("n"), Initially(32u), AtLeast(1)};
  Flag<std::string> stop{
      "stop", Says("tokens that end a sequence (default: what the model's configuration says; `none`)"), Takes("2,3")};
  SamplingFlags sampling;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {
      "sinter generate model.onnx --ids 1,5,7 --tokens 32     goes on from three tokens",
      "sinter generate folder/ --ids 1 --context 4096         an exported folder with its configuration",
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
  if (ids.empty()) {
    printError("--ids is missing: what is to be gone on from?", "--ids 1,5,7");
    return ExitUsage;
  }
  std::string sequences;
  size_t length = 0;
  for (const std::string &text : ids) {
    std::optional<std::vector<int64_t>> sequence = parseIds(text);
    if (!sequence) {
      printError("--ids " + text + " is no list of tokens, such as 1,5,7");
      return ExitUsage;
    }
    if (length && sequence->size() != length) {
      printError("--ids " + text + ": " + Twine(sequence->size()) + " tokens beside " + Twine(length),
                 "sequences side by side have one length");
      return ExitUsage;
    }
    length = sequence->size();
    sequences += (sequences.empty() ? "" : ";") + listText(*sequence);
  }
  job.decoder = flags.decoder.wish();
  job.decoder->hasSession = true;
  job.decoder->batch = static_cast<int64_t>(ids.size());
  std::vector<int64_t> ends;
  if (stop.empty())
    ends = decoderConfigBeside(job.model).ends;
  else if (stop != "none") {
    std::optional<std::vector<int64_t>> given = parseIds(stop);
    if (!given) {
      printError("--stop " + stop + " is no list of tokens, such as 2,3");
      return ExitUsage;
    }
    ends = *given;
  }
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  CompiledModel compiled;
  std::string program;
  if (ExitStatus status = buildGenerator(flags, job, **staging, compiled, program); status != ExitOk)
    return status;

  std::string stats = (*staging)->file("stats.txt"), output = (*staging)->file("tokens.txt"), problem;
  std::vector<std::string> words = {program, sequences, std::to_string(tokens), listText(ends), stats, sampling.text()};
  if (job.codegen.weights == "file" && is_contained(compiled.files, weightsFileName(job.codegen)))
    words.push_back((*staging)->file(weightsFileName(job.codegen)));
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
  double prompt = perSecond(made.promptTokens, made.promptSeconds), steps = perSecond(made.steps, made.stepSeconds);
  if (!asJson) {
    errs() << "sinter: " << made.promptTokens << " tokens of the prompt at " << format("%.1f", prompt)
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
                      {"prompt_tokens_per_second", prompt},
                      {"steps", made.steps},
                      {"steps_per_second", steps}});
  return ExitOk;
}

} // namespace sinter
