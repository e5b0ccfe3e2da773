// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter run: builds a model, runs it once, writes one .npy per output.
#include "driver/answer.h"
#include "driver/build_program.h"
#include "driver/inputs.h"
#include "driver/progress.h"
#include "driver/tensor_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace sinter {
namespace {
/// A file name made of an output's name, short enough for any file system; no two are the same.
std::string fileNameOf(StringRef name, std::set<std::string> &taken) {
  std::string stem;
  for (char c : name.take_front(200))
    stem += isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  if (stem.empty() || stem[0] == '.')
    stem = "output" + stem;
  std::string file = stem + ".npy";
  for (int i = 2; !taken.insert(file).second; ++i)
    file = stem + "_" + std::to_string(i) + ".npy";
  return file;
}

/// The first numbers of an output, as one line.
void printSummary(const HostArray &array, StringRef file) {
  outs() << array.name << "  " << describe(array.type, array.dims) << "  ";
  int64_t shown =
      std::min<int64_t>(array.type == ElementType::String ? 0 : 6, array.size() * numbersPerElement(array.type));
  for (int64_t i = 0; i < shown; ++i)
    outs() << (i ? " " : "") << format("%.6g", numberAt(array, i));
  outs() << (shown < array.size() ? " ..." : "") << "  -> " << file << "\n";
}
} // namespace

int runVerb(const Arguments &arguments) {
  CompileFlags flags;
  InputFlags inputFlags;
  Flag<std::string> output("o", Says("folder for the outputs"), Takes("folder"), Initially("."));
  BoardFlag board;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {
      "sinter run kws.onnx --random 1                   made-up inputs, the same ones each time",
      "sinter run kws.onnx --input audio=sound.npy -o results/"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Builds a model and runs it once; writes one .npy per output.", examples}))
    return *status;
  BuiltProgram built;
  if (ExitStatus status = buildProgram(flags, board.choice(), built); status != ExitOk)
    return status;
  inputFlags.named = flags.inputFiles();
  Expected<std::vector<HostArray>> inputs = inputFlags.gather(built.program->info());
  if (!inputs) {
    printError(toString(inputs.takeError()));
    return ExitUsage;
  }
  if (Error error = checkInputs(built.program->info(), *inputs)) {
    printError(toString(std::move(error)));
    return ExitUsage;
  }
  RunOptions options;
  options.threads = flags.threads;
  Progress progress("running " + built.job.model);
  RunResult result;
  if (ExitStatus status = runProgram(*built.program, *inputs, options, progress, result); status != ExitOk)
    return status;
  progress.done();
  Expected<std::unique_ptr<Staging>> staging = Staging::beside(output);
  Error error = staging ? Error::success() : staging.takeError();
  std::set<std::string> names;
  json::Array written;
  for (const HostArray &array : result.outputs) {
    if (error)
      break;
    std::string file = fileNameOf(array.name, names);
    error = (*staging)->write(file, toNpy(array));
    std::string path = output + "/" + file;
    if (asJson)
      written.push_back(json::Object{{"name", utf8(array.name)},
                                     {"type", elementTypeName(array.type)},
                                     {"dims", json::Array(array.dims)},
                                     {"file", utf8(path)}});
    else
      printSummary(array, path);
  }
  if (!error)
    error = (*staging)->publish(std::vector<std::string>(names.begin(), names.end()));
  if (!error) {
    answer(json::Object{
        {"model", utf8(built.job.model)}, {"target", built.job.codegen.target.name}, {"outputs", std::move(written)}});
    return ExitOk;
  }
  printError(toString(std::move(error)));
  return ExitUsage;
}

} // namespace sinter
