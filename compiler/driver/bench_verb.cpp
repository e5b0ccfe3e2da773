// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter bench: how long a call takes and each kernel in it, how near that is to what the machine can do, and how
// others fare on the same inputs. Measuring: peak.h, rivals.h; printing: bench_result.h.
#include "driver/answer.h"
#include "driver/bench_result.h"
#include "driver/board_bench.h"
#include "driver/build_failure.h"
#include "driver/build_program.h"
#include "driver/emulated_gpu.h"
#include "driver/file_contents.h"
#include "driver/inputs.h"
#include "driver/machine_bench.h"
#include "driver/processor_name.h"
#include "driver/progress.h"
#include "driver/report_page.h"
#include "driver/rivals.h"
#include "driver/tuner.h"

using namespace llvm;

namespace sinter {
namespace {
/// Calls before the clock is read: caches and branch predictors are as they are in steady use.
constexpr int64_t unmeasuredCalls = 3;

struct BenchFlags {
  InputFlags inputs;
  Flag<double> seconds{"seconds", Says("how long to measure calls, at least"), Takes("s"), Initially(1)};
  Flag<unsigned> runs{"runs", Says("how many calls to measure, at least"), Takes("n"), Initially(10)};
  Flag<std::string> against{"against", Says("measure these beside it, on the same inputs"),
                            Takes("onnxruntime,openvino")};
  Flag<unsigned> cold{
      "cold",
      Says("read this much other memory before each call, so that weights come from memory and not from caches"),
      Takes("MB")};
  Flag<std::string> trace{"trace", FlagTrait::Output, Says("write the fastest run for chrome://tracing and Perfetto"),
                          Takes("file.json")};
  TuneFlags tuning;
  HtmlFlag html;
  JsonFlag asJson;
};

/// Whole calls first, then calls with the trace on, which costs a little in each kernel.
ExitStatus measureCalls(const BuiltProgram &built, const BenchFlags &flags, ArrayRef<HostArray> inputs,
                        Progress &progress, BenchResult &result) {
  RunOptions options;
  options.seconds = flags.seconds;
  options.runs = flags.runs;
  options.unmeasured = unmeasuredCalls;
  options.threads = result.threads;
  options.cold = result.coldBytes;
  RunResult run;
  if (ExitStatus status = runProgram(*built.program, inputs, options, progress, run))
    return status;
  result.call = summarize(run.seconds);
  if (built.job.codegen.target.isGpu()) // which has its kernels in one graph
    return ExitOk;
  options.trace = true;
  if (ExitStatus status = runProgram(*built.program, inputs, options, progress, run))
    return status;
  result.tracedSeconds = summarize(run.seconds).least;
  result.kernelSeconds = std::move(run.kernelSeconds);
  result.events = std::move(run.events);
  return ExitOk;
}

/// Whether the program on a board was made with the same flags: its kernels are those of the report.
bool hasKernelsOf(const ModelReport &report, const ModelInfo &info) {
  return llvm::equal(report.kernels, info.kernels,
                     [](const KernelReport &ours, const KernelInfo &theirs) { return ours.function == theirs.name; });
}

/// On a board: no times but counts.
ExitStatus benchOnBoard(const BuiltProgram &built, const BenchFlags &flags, ArrayRef<HostArray> inputs,
                        BenchResult &result) {
  if (!flags.trace.empty()) {
    printError("--trace is of times; on a board instructions are counted");
    return ExitUsage;
  }
  if (!hasKernelsOf(result.report, built.program->info())) {
    printError("the program on the board has other kernels than this compilation",
               "give bench the flags that the program's model was compiled with: --target, --fit and others");
    return ExitUsage;
  }
  BoardBench bench{
      result.model, result.target,           built.program->boardName().str(), built.program->boardSummary().str(), {},
      {},           std::move(result.report)};
  Progress progress("counting what " + result.model + " takes");
  if (!built.objects.empty()) {
    bench.measured = measure(built.objects);
    if (Error error = measureLinked(built.cxx, *built.staging, built.job.codegen, built.objects, *bench.measured)) {
      progress.done();
      printError(toString(std::move(error)));
      return ExitInternal;
    }
  }
  if (ExitStatus status = countProgram(*built.program, inputs, progress, bench.counts))
    return status;
  progress.done();
  bench.byKernel = sumsByKernel(bench.report, bench.counts.kernels);
  bench.byOperator = sumsByOperator(bench.report, built.compiled.summary.inventory, bench.counts.kernels);
  if (!flags.asJson)
    printBoardBench(bench, outs());
  return answerWithGraph(jsonOf(bench), built.job, flags.asJson, flags.html);
}

ExitStatus writeTrace(const BenchResult &result, StringRef path) {
  Error error = writeFile(path, [&](raw_ostream &out) { printChromeTrace(result, out); });
  if (!error)
    return ExitOk;
  printError(toString(std::move(error)));
  return ExitUsage;
}
} // namespace

Times summarize(std::vector<double> seconds) {
  Times times;
  times.calls = seconds.size();
  if (seconds.empty())
    return times;
  llvm::sort(seconds);
  times.least = seconds.front();
  times.median = seconds[seconds.size() / 2];
  times.p99 = seconds[(seconds.size() * 99 + 99) / 100 - 1];
  return times;
}

int benchVerb(const Arguments &arguments) {
  CompileFlags compileFlags;
  BenchFlags flags;
  BoardFlag board;
  static constexpr StringRef examples[] = {
      "sinter bench kws.onnx --against onnxruntime      the other runtime in turn, on the same inputs",
      "sinter bench --machine here.yaml                 the machine's own numbers, for --machine and --target",
      "sinter bench kws.onnx --target cortex-m4         instructions counted on an emulated board",
      "sinter bench kws.onnx --target cortex-m4 --runner serial:/dev/ttyACM0    cycles on your own"};
  compileFlags.model.isRequired = false;
  if (std::optional<ExitStatus> status = parseFlags(
          arguments, {"Builds a model and measures it: whole calls, each kernel, its share of what the machine can do.",
                      examples}))
    return *status;
  if (compileFlags.model.empty() && !compileFlags.machine.empty())
    return benchMachine(compileFlags, processorName(), flags.asJson);
  if (compileFlags.model.empty()) {
    printError("which model.onnx?", "`sinter bench --machine FILE.yaml` measures the machine without one");
    return ExitUsage;
  }
  if (!flags.against.empty() && !compileFlags.othersKnowTheModel())
    return ExitUsage;
  Expected<std::vector<std::string>> rivals = parseRivals(flags.against);
  if (!rivals) {
    printError(toString(rivals.takeError()));
    return ExitUsage;
  }
  if (Error error = checkRivals(*rivals)) { // before what takes long
    printError(toString(std::move(error)));
    return ExitUsage;
  }
  std::string ignored;
  std::optional<Target> wished = findAnyTarget(compileFlags.target, ignored);
  bool isForGpu = wished && wished->isGpu();
  std::optional<std::string> gpu = isForGpu ? gpuName() : std::nullopt;
  if (isForGpu && !gpu) {
    printError(
        "no GPU here: `sinter verify` runs kernels in an emulation on the CPU, but its times mean nothing",
        "run it on a machine with a GPU and its driver; `sinter analyze` says what each kernel takes of the GPU");
    return ExitUsage;
  }
  if (isForGpu && (!rivals->empty() || !flags.trace.empty())) {
    printError(rivals->empty() ? "--trace is of each kernel's time; a GPU has all kernels of a call in one graph"
                               : "--against compares on the CPU",
               "leave it out: whole calls are measured");
    return ExitUsage;
  }
  for (const std::string &input : compileFlags.inputs)
    if (!rivals->empty() && isInputForm(StringRef(input).split('=').second)) {
      printError("--against compares on the same inputs; other runtimes take the model's own form, not --input " +
                 input);
      return ExitUsage;
    }
  BuiltProgram built;
  built.isTimed = true;
  if (!compileFlags.toJob(built.job))
    return ExitUsage;
  if (!flags.tuning.file.empty())
    if (ExitStatus status = tune(flags.tuning, compileFlags.cxx, compileFlags.optimization, built.job))
      return status;
  if (ExitStatus status = buildProgram(compileFlags.cxx, compileFlags.optimization, board.choice(), built);
      status != ExitOk)
    return status;
  const Target &target = built.job.codegen.target;
  BenchResult result;
  result.model = built.job.model;
  result.target = target.name;
  result.coldBytes = int64_t{flags.cold} * 1'000'000;
  result.processor = gpu.value_or(processorName());
  result.emulated = !runsOnHost(target);
  result.threads = target.isWebAssembly() ? 1 : compileFlags.threads.getValue(); // WASI has none
  if (result.emulated && !rivals->empty()) {
    printError("--against compares on this machine; programs for " + target.name + " are emulated here");
    return ExitUsage;
  }
  Expected<ModelReport> report = readReport(*built.staging, built.job.codegen.prefix);
  if (!report) {
    printError(toString(report.takeError()));
    return ExitInternal;
  }
  result.report = std::move(*report);
  flags.inputs.named = compileFlags.inputFiles();
  Expected<std::vector<HostArray>> inputs = flags.inputs.gather(built.program->info(), 0, /*makeUp=*/true);
  if (!inputs) {
    printError(toString(inputs.takeError()));
    return ExitUsage;
  }
  if (Error error = checkInputs(built.program->info(), *inputs)) {
    printError(toString(std::move(error)));
    return ExitUsage;
  }

  if (built.program->board())
    return benchOnBoard(built, flags, *inputs, result);

  Progress progress("measuring " + result.model);
  if (ExitStatus status = measureCalls(built, flags, *inputs, progress, result); status != ExitOk)
    return status;
  if (!result.emulated && !isForGpu) {
    progress.step("measuring what this machine can do");
    Expected<Peak> peak = measurePeak(built.cxx, target, built.staging->folder(), result.threads);
    if (!peak) {
      progress.done();
      return tellBuildFailure(peak.takeError(), "", "");
    }
    result.peak = std::move(*peak);
  }
  if (!rivals->empty()) {
    progress.step("measuring it against " + flags.against);
    if (Error error = measureRivals(built, *inputs, *rivals, flags.seconds, flags.runs, result)) {
      progress.done();
      printError(toString(std::move(error)));
      return ExitUsage;
    }
  }
  progress.done();
  result.byKernel = sumsByKernel(result.report, result.kernelSeconds);
  result.byOperator = sumsByOperator(result.report, built.compiled.summary.inventory, result.kernelSeconds);
  if (!flags.asJson)
    printBench(result, outs());
  if (ExitStatus status = answerWithGraph(jsonOf(result), built.job, flags.asJson, flags.html))
    return status;
  return flags.trace.empty() ? ExitOk : writeTrace(result, flags.trace);
}

} // namespace sinter
