// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/decoder_program.h"

#include "codegen/abi/abi_header.h"
#include "codegen/abi/session.h"
#include "driver/answer.h"
#include "driver/build_failure.h"
#include "driver/build_program.h"
#include "driver/decoder_folder.h"
#include "driver/draft_job.h"
#include "driver/object_cache.h"
#include "driver/progress.h"
#include "driver/read_adapters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace sinter {

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

std::string listOfIds(ArrayRef<int64_t> ids) {
  return join(map_range(ids, [](int64_t id) { return std::to_string(id); }), ",");
}

std::optional<std::vector<int64_t>> StopFlag::ends(StringRef model) const {
  constexpr size_t most = 4096; // a word of a command line has an end
  if (stop.empty()) {
    std::vector<int64_t> ends = decoderConfigBeside(model).ends;
    if (ends.size() <= most)
      return ends;
    errs() << "sinter: eos_token_id of the model's configuration is left out: there are more than " << most
           << " of them\n";
    return std::vector<int64_t>();
  }
  if (stop.getValue() == "none")
    return std::vector<int64_t>();
  std::optional<std::vector<int64_t>> given = parseIds(stop);
  if (!given)
    printError(
        "--stop " + stop + " is no list of tokens, such as 2,3",
        "--stop-text TEXT ends an answer at a text; `sinter tokenizer FILE --encode TEXT` gives the tokens of one");
  else if (given->size() > most) {
    printError("--stop has more than " + Twine(most) + " tokens", "fewer");
    return std::nullopt;
  }
  return given;
}

/// Calls the weights in `made` by `name`, and writes their identity behind them, by which the program tells its weights
/// from those of others (runner/weights_file.h). `macros` get what it is compiled with to know them.
static Error sealWeights(const Staging &staging, StringRef made, StringRef name, std::vector<std::string> &macros) {
  constexpr unsigned digits = 16;
  std::string path = staging.file(name);
  auto failed = [&](std::error_code code) { return createStringError(code, path + ": " + code.message()); };
  if (std::error_code code = sys::fs::rename(staging.file(made), path))
    return failed(code);
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return failed(file.getError());
  size_t bytes = (*file)->getBufferSize();
  std::string identity = utohexstr(xxh3_64bits((*file)->getBuffer()), /*LowerCase=*/true, digits);
  file->reset();
  std::error_code code;
  raw_fd_ostream out(path, code, sys::fs::OF_Append);
  if (code)
    return failed(code);
  out << identity;
  out.close();
  code = out.error();
  out.clear_error(); // or the destructor ends the program
  macros.push_back("SINTER_WEIGHTS_BYTES=" + std::to_string(bytes));
  macros.push_back("SINTER_WEIGHTS_IDENTITY=\"" + identity + "\"");
  return code ? failed(code) : Error::success();
}

ExitStatus buildDecoderProgram(const CompileFlags &flags, CompileJob &job, const Staging &staging,
                               DecoderProgram &program) {
  Expected<Cxx> cxx = findCxx(job.codegen.target, flags.cxx, flags.optimization);
  if (!cxx) {
    printError(toString(cxx.takeError()), compilerHint(job.codegen.target));
    return ExitUsage;
  }
  if (job.decoder)
    job.decoder->given = program.given.sizes();
  Diagnostics diagnostics;
  Progress progress("compiling " + job.model);
  CompiledModel compiled;
  ExitStatus status = compileModel(job, staging, diagnostics, compiled);
  progress.done();
  tell(diagnostics, job.model);
  if (status != ExitOk)
    return status;
  int64_t vocabulary = compiled.session ? compiled.session->vocabulary : 0;
  for (const NamedToken &token : program.tokens)
    if (vocabulary > 0 && token.id >= vocabulary) {
      printError("the token " + Twine(token.id) + " " + token.where + " is none of the model's",
                 "the model's tokens are 0 to " + Twine(vocabulary - 1) +
                     "; a tokenizer of another model makes others");
      return ExitUsage;
    }
  std::optional<std::vector<std::string>> given =
      program.given.settle(compiled, decoderConfigBeside(job.model), staging);
  if (!given)
    return ExitUsage;
  progress.step("building it for " + job.codegen.target.name);
  cxx->linkWith(compiled.libraries);
  auto fail = [&](Error error) {
    progress.done();
    return tellBuildFailure(std::move(error), "", job.codegen.userHeaders.empty() ? "" : userCodeHint);
  };
  std::vector<std::string> sources = compiled.sources(), defined;
  if (job.codegen.weights == "file" && is_contained(compiled.files, weightsFileName(job.codegen))) {
    program.weights = program.name + "_weights.bin"; // programs of models that are called alike may share a folder
    if (Error error = sealWeights(staging, weightsFileName(job.codegen), program.weights, defined))
      return fail(std::move(error));
  }
  std::string main = program.main;
  if (program.text) {
    main = "chat.cpp";
    defined.push_back("SINTER_TALK=\"sinter_talk.h\"");
    if (Error error = writeTextProgram(*program.text, program.weights, staging, sources))
      return fail(std::move(error));
  } else if (program.tokenizer) {
    if (Error error = writeTokenizer(*program.tokenizer, staging, sources))
      return fail(std::move(error));
    defined.push_back("SINTER_TOKENIZER=\"sinter_tokens.h\"");
  }
  if (const TokenizerParts *parts = program.text ? &program.text->parts : program.tokenizer; parts && parts->grammar)
    defined.push_back("SINTER_GRAMMAR=1");
  if (std::vector<std::string> names = switchedAdapters(job.adapterPaths); !names.empty())
    defined.push_back("SINTER_ADAPTERS=\"" + join(names, "\",\"") + "\"");
  if (!job.decoder->draft.empty()) {
    ModelNames draft(draftPrefix(job.codegen));
    defined.push_back("SINTER_DRAFT_PREFIX=" + draft.prefix.text().str());
    defined.push_back("SINTER_DRAFT_MACRO=" + draft.macro.text().str());
    defined.push_back("SINTER_DRAFT_SESSION=\"" + draft.prefix.text().str() + "_session.h\"");
    defined.push_back("SINTER_DRAFT_WEIGHTS=" + std::to_string(compiled.draftWeights));
  }
  llvm::append_range(defined, program.macros);
  llvm::append_range(defined, *given);
  Expected<std::vector<std::string>> objects = compileModelSources(*cxx, staging.folder(), sources, job.codegen);
  if (!objects)
    return fail(objects.takeError());
  Expected<std::string> object = compileSessionProgram(*cxx, staging.folder(), job.codegen, main, defined);
  if (!object)
    return fail(object.takeError());
  objects->push_back(*object);
  if (job.codegen.threads > 1 && !job.codegen.target.isWebAssembly())
    objects->push_back("-pthread");
  bool isForeign = !job.codegen.target.isOfThisSystem(); // whose C++ library need not be there
  if (Error error = cxx->linkProgram(*objects, staging.file(program.name), isForeign))
    return fail(std::move(error));
  return ExitOk;
}

ExitStatus runDecoderProgram(const Staging &staging, const DecoderProgram &program, ArrayRef<std::string> words,
                             StringRef output) {
  std::string file = staging.file(program.name), problem;
  std::vector<StringRef> all = {file};
  all.insert(all.end(), words.begin(), words.end());
  std::optional<StringRef> redirects[] = {std::nullopt, output.empty() ? std::nullopt : std::optional(output),
                                          std::nullopt};
  outs().flush();
  if (sys::ExecuteAndWait(file, all, std::nullopt, redirects, 0, 0, &problem) == 0)
    return ExitOk;
  if (!problem.empty())
    printError(problem);
  return ExitVerify;
}

static double perSecond(int64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}
double GenerationStats::promptTokensPerSecond() const { return perSecond(promptTokens, promptSeconds); }
double GenerationStats::stepsPerSecond() const { return perSecond(steps, stepSeconds); }

std::string textOfFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return "";
  StringRef text = (*file)->getBuffer();
  text.consume_back("\n");
  return text.str();
}

GenerationStats readGenerationStats(StringRef path) {
  GenerationStats stats;
  std::string text = textOfFile(path);
  SmallVector<StringRef> parts;
  StringRef(text).split(parts, ' ');
  if (parts.size() == 4) {
    parts[0].getAsInteger(10, stats.promptTokens);
    parts[1].getAsDouble(stats.promptSeconds);
    parts[2].getAsInteger(10, stats.steps);
    parts[3].getAsDouble(stats.stepSeconds);
  }
  return stats;
}

json::Array jsonOfIds(StringRef line) {
  json::Array ids;
  for (StringRef id : split(line, ' '))
    if (int64_t number; !id.getAsInteger(10, number))
      ids.push_back(number);
  return ids;
}

json::Array jsonOfLines(StringRef lines) {
  json::Array all;
  for (StringRef line : split(lines, '\n'))
    all.push_back(jsonOfIds(line));
  return all;
}

void answerGenerated(const CompileJob &job, const GenerationStats &stats, StringRef name, json::Value made) {
  answer(json::Object{{"model", utf8(job.model)},
                      {"target", job.codegen.target.name},
                      {name, std::move(made)},
                      {"prompt_tokens", stats.promptTokens},
                      {"prompt_tokens_per_second", stats.promptTokensPerSecond()},
                      {"steps", stats.steps},
                      {"steps_per_second", stats.stepsPerSecond()}});
}

} // namespace sinter
