// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter chat: a decoder and its tokenizer to one program that holds a conversation or goes
// on from text (runner/chat.cpp).
#include "driver/answer.h"
#include "driver/talk.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

int chatVerb(const Arguments &arguments) {
  CompileFlags flags;
  Flag<std::string> output{"o", Says("where the program goes; without it is built and talked to at once"),
                           Takes("program")};
  TextFlags text;
  JsonFlag asJson;
  static constexpr StringRef examples[] = {
      "sinter chat folder/                                        talks at once, as the folder's chat template says",
      "sinter chat folder/ -o chat --system 'Answer briefly.'     a program of an exported folder with its tokenizer",
      "sinter chat model.onnx --tokenizer tokenizer.json -o chat --target aarch64 --weights=file"};
  if (std::optional<ExitStatus> status = parseFlags(
          arguments,
          {"Makes a program of a decoder and its tokenizer: it holds a conversation, or goes on from text.", examples}))
    return *status;
  CompileJob job;
  flags.decoder.isImplied = true;
  if (!flags.toJob(job))
    return ExitUsage;
  if (output.empty()) {
    if (asJson || !job.codegen.target.isOfThisSystem()) {
      printError("-o is missing: where does the program go?", "-o chat");
      return ExitUsage;
    }
    return talk(flags, job, text, {}, false, flags.inputFiles());
  }
  if (!flags.takesNoFiles())
    return ExitUsage;
  StringRef folder = sys::path::parent_path(output), name = sys::path::filename(output);
  const bool endsInFolder = sys::path::is_separator(output.getValue().back()) || name == "." || name == "..";
  if (endsInFolder || sys::fs::is_directory(output)) {
    bool isSeparated = sys::path::is_separator(output.getValue().back());
    printError("-o " + output + " is a folder, not the name of a program",
               "-o " + output + (isSeparated ? "chat" : "/chat"));
    return ExitUsage;
  }
  Expected<std::unique_ptr<Staging>> staging = Staging::beside(folder.empty() ? "." : folder);
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  DecoderProgram built;
  built.name = name.str();
  if (ExitStatus status = buildChat(flags, job, text, **staging, built); status != ExitOk)
    return status;
  std::vector<std::string> made = {built.name};
  if (!built.weights.empty())
    made.push_back(built.weights);
  if (Error error = (*staging)->publish(made)) {
    printError(toString(std::move(error)));
    return ExitUsage;
  }
  if (!asJson)
    outs() << "wrote " << output << (built.weights.empty() ? "" : ", which reads " + built.weights + " beside it")
           << "\n";
  answer(json::Object{{"model", utf8(job.model)},
                      {"target", job.codegen.target.name},
                      {"program", utf8(output)},
                      {"files", json::Array(made)}});
  return ExitOk;
}

} // namespace sinter
