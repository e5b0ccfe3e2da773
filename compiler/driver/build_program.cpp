// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps from a model to a program, with the exit status of each.
#include "driver/build_program.h"

#include "driver/answer.h"
#include "driver/build_failure.h"
#include "driver/emulated_gpu.h"
#include "driver/measure.h"
#include "driver/object_cache.h"
#include "driver/progress.h"

using namespace llvm;

namespace sinter {

ExitStatus buildProgram(const CompileFlags &flags, const BoardChoice &choice, BuiltProgram &built) {
  return flags.toJob(built.job) ? buildProgram(flags.cxx, flags.optimization, choice, built) : ExitUsage;
}

/// A program that runs already is asked what it is: the model that was just compiled, or another one.
static ExitStatus connect(StringRef runner, BuiltProgram &built, Progress &progress) {
  progress.step("asking the board");
  Expected<std::unique_ptr<ModelProgram>> program = ModelProgram::connect(built.staging->folder(), runner);
  progress.done();
  if (!program) {
    printError(toString(program.takeError()), "the board runs targets/boards/serial.h, as samples/firmware/serial.cpp");
    return ExitUsage;
  }
  built.program = std::move(*program);
  built.program->setForms(built.job.forms.json());
  built.program->setInputHints(built.compiled.inputHints);
  built.program->setCustomOps(customOpsJson());
  if (built.callerBringsWeights()) {
    printError("--weights=file: no weights go over a serial line", "give the program on the board weights of its own");
    return ExitUsage;
  }
  const std::string &there = built.program->info().sha256;
  if (there == built.compiled.summary.sha256)
    return ExitOk;
  printError("the program on the board is of another model: SHA-256 " + StringRef(there).take_front(12) +
                 "... instead of " + StringRef(built.compiled.summary.sha256).take_front(12) + "...",
             "compile this model into it, and load it again");
  return ExitUsage;
}

ExitStatus buildProgram(StringRef cxxName, StringRef optimization, const BoardChoice &choice, BuiltProgram &built) {
  const Target &target = built.job.codegen.target;
  std::string problem;
  bool isRunning = !choice.runner.empty() && !startsImages(choice.runner);
  if (!choice.board.empty() && !StringRef(choice.board).ends_with(".ld") && !findBoard(target, choice.board, problem)) {
    printError(problem);
    return ExitUsage;
  }
  if (StringRef(choice.board).ends_with(".ld") && (isRunning || choice.runner.empty())) {
    printError("--board " + choice.board + " is a linker script: only images that --runner starts take one");
    return ExitUsage;
  }
  if (!isRunning) {
    Expected<Cxx> cxx = findCxx(target, cxxName, optimization);
    if (!cxx) {
      printError(toString(cxx.takeError()), compilerHint(target));
      return ExitUsage;
    }
    built.cxx = *cxx;
  }
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!staging) {
    printError(toString(staging.takeError()));
    return ExitUsage;
  }
  built.staging = std::move(*staging);

  built.job.device.isEmulated = target.isGpu() && !gpuName();
  if (built.job.device.isEmulated && !built.isTrial)
    errs() << "sinter: no GPU here: kernels run in an emulation on the CPU, whose times mean nothing\n";
  Progress progress("compiling " + built.job.model);
  Diagnostics diagnostics;
  ExitStatus status = compileModel(built.job, *built.staging, diagnostics, built.compiled);
  progress.done();
  if (!built.isTrial)
    tell(diagnostics, built.job.model);
  if (status != ExitOk)
    return status;

  if (isRunning)
    return connect(choice.runner, built, progress);
  progress.step("building it for " + target.name);
  built.cxx.linkWith(built.compiled.libraries);
  StringRef folder = built.staging->folder();
  auto fail = [&](Error error) {
    progress.done();
    return tellBuildFailure(std::move(error), "", built.job.codegen.userHeaders.empty() ? "" : userCodeHint);
  };
  Expected<std::vector<std::string>> objects =
      compileModelSources(built.cxx, folder, built.compiled.sources(), built.job.codegen,
                          built.cxx.isFreestanding ? measuringFlags(built.cxx) : std::vector<std::string>());
  if (!objects)
    return fail(objects.takeError());
  built.objects = *objects;
  std::vector<std::string> runnerFlags;
  if (target.isGpu())
    runnerFlags.push_back("-DSINTER_ON_GPU");
  if (!built.cxx.isFreestanding) // it takes longer to optimize than it runs
    runnerFlags.push_back(built.isTimed ? "-O1" : "-O0");
  Expected<std::string> runner = compileRunner(built.cxx, folder, built.job.codegen.prefix, runnerFlags);
  if (!runner)
    return fail(runner.takeError());
  Expected<std::unique_ptr<ModelProgram>> program =
      ModelProgram::link(target, built.cxx, folder, built.objects, *runner, choice);
  if (!program)
    return fail(program.takeError());
  built.program = std::move(*program);
  if (built.job.device.isEmulated) {
    Expected<Emulation> emulation = compileEmulation(built.cxx, (folder + "/emulation").str());
    if (!emulation)
      return fail(emulation.takeError());
    Expected<std::string> driver = buildEmulatedGpu(built.cxx, target, folder, built.job.codegen.prefix, *emulation);
    if (!driver)
      return fail(driver.takeError());
    built.program->setGpuDriver(std::move(*driver));
  }
  built.program->setForms(built.job.forms.json());
  built.program->setInputHints(built.compiled.inputHints);
  built.program->setCustomOps(customOpsJson());
  if (built.callerBringsWeights())
    built.program->setWeightsFile(built.staging->file(weightsFileName(built.job.codegen)));
  return ExitOk;
}

/// How a run ended, with a message if not well.
static ExitStatus endOf(Expected<RunResult> run, Progress &progress, RunResult &result) {
  if (run && run->status == 0) {
    result = std::move(*run);
    return ExitOk;
  }
  progress.done();
  if (!run) {
    printError(toString(run.takeError()));
    return ExitInternal;
  }
  printError("the call ended with status " + Twine(run->status) + ": " + statusText(run->status));
  return ExitVerify;
}

ExitStatus runProgram(const ModelProgram &program, ArrayRef<HostArray> inputs, const RunOptions &options,
                      Progress &progress, RunResult &result) {
  return endOf(program.run(inputs, options), progress, result);
}

ExitStatus countProgram(const ModelProgram &program, ArrayRef<HostArray> inputs, Progress &progress,
                        BoardCounts &counts) {
  RunResult result;
  return endOf(program.count(inputs, counts), progress, result);
}

} // namespace sinter
