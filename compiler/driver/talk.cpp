// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/talk.h"

#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

ExitStatus buildChat(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const StopFlag &stop,
                     const Staging &staging, DecoderProgram &program) {
  std::string path = text.tokenizer.empty() ? tokenizerBeside(job.model) : text.tokenizer.getValue();
  if (path.empty()) {
    printError("no tokenizer lies beside " + job.model, "--tokenizer tokenizer.json names it");
    return ExitUsage;
  }
  std::optional<std::vector<int64_t>> ends = stop.ends(job.model);
  if (!ends)
    return ExitUsage;
  std::optional<tokenizer::CompiledTokenizer> compiled;
  if (ExitStatus status = compileTokenizerFile(path, text.pattern, compiled); status != ExitOk)
    return status;
  job.decoder = flags.decoder.wish();
  job.decoder->hasSession = true;
  job.decoder->batch = 1;
  program.tokenizer = &*compiled;
  program.ends = *ends;
  ExitStatus status = buildDecoderProgram(flags, job, staging, program);
  program.tokenizer = nullptr; // it ends here
  return status;
}

ExitStatus talk(const CompileFlags &flags, CompileJob &job, const TextFlags &text, const StopFlag &stop,
                ArrayRef<std::string> words) {
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  DecoderProgram built;
  if (ExitStatus status = buildChat(flags, job, text, stop, **staging, built); status != ExitOk)
    return status;
  std::string program = (*staging)->file(built.name), problem;
  std::vector<StringRef> all = {program};
  all.insert(all.end(), words.begin(), words.end());
  outs().flush();
  if (sys::ExecuteAndWait(program, all, std::nullopt, {}, 0, 0, &problem) == 0)
    return ExitOk;
  if (!problem.empty())
    printError(problem);
  return ExitVerify;
}

} // namespace sinter
