// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-conformance: runs ONNX's backend tests through the compiler, each in a child of its own, as many at a time as
// there are cores. The compiler is linked in, so a case costs a fork, not a start. Cases: make_cases.py; one case:
// case.cpp; output: report.cpp.
#include "report.h"

#include "../batch/children.h"
#include "../batch/sanitizers.h"

#include "cuda/gpu.h"
#include "cuda/nvrtc.h"
#include "driver/flags.h"
#include "driver/model_program.h"
#include "driver/staging.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <set>

using namespace llvm;
using namespace sinter;
using namespace sinter::conformance;

namespace {
constexpr int exitSkipped = 77;       // as CTest has it: SKIP_RETURN_CODE
constexpr unsigned caseSeconds = 180; // alarm of a child: a case that takes longer counts as failed

using Clock = std::chrono::steady_clock;

/// What a child told of its case, or how it died.
Verdict verdictOf(const ChildResult &child) {
  Verdict verdict;
  verdict.seconds = child.seconds;
  if (child.signal != 0)
    verdict.reason = child.signal == SIGALRM ? "took longer than " + std::to_string(caseSeconds) + " s"
                                             : std::string("the compiler died: ") + strsignal(child.signal);
  else if (child.text.empty())
    verdict.reason = "the compiler exited with status " + std::to_string(child.exitStatus);
  else {
    auto [reason, ofOneThread] = StringRef(child.text).drop_front().split('\0');
    verdict = {static_cast<Outcome>(child.text[0]), reason.str(), ofOneThread.str(), child.seconds};
  }
  return verdict;
}

/// Runs all cases; results in their order.
std::vector<Result> runAll(const std::vector<Case> &cases, const Setup &setup, unsigned jobs) {
  std::vector<Result> results;
  for (const Case &one : cases)
    results.push_back({one, {}});
  bool terminal = sys::Process::StandardErrIsDisplayed();
  size_t done = 0;
  auto run = [&](size_t i) {
    Verdict verdict = runCase(cases[i], setup);
    return static_cast<char>(verdict.outcome) + verdict.reason + '\0' + verdict.ofOneThread;
  };
  runInChildren(cases.size(), {jobs, caseSeconds, /*megabytes=*/0}, /*keepLog=*/false, run,
                [&](const ChildResult &child) {
                  results[child.index].verdict = verdictOf(child);
                  ++done;
                  if (terminal)
                    errs() << "\r" << done << "/" << cases.size() << "\033[K";
                });
  if (terminal)
    errs() << "\r\033[K";
  return results;
}

/// Of the cases test_WORD_... of a kind one for each WORD, that in their middle.
void keepSample(std::vector<Case> &cases) {
  auto groupOf = [](const Case &one) {
    StringRef name = one.name;
    name.consume_front("test_");
    return one.kind + "/" + name.split('_').first.str();
  };
  std::map<std::string, std::vector<size_t>> groups;
  for (auto [i, one] : enumerate(cases))
    groups[groupOf(one)].push_back(i);
  std::set<size_t> kept;
  for (const auto &[group, members] : groups)
    kept.insert(members[members.size() / 2]);
  size_t place = 0;
  llvm::erase_if(cases, [&](const Case &) { return !kept.count(place++); });
}

/// What runs the programs of all cases; for a GPU, its emulation where there is none.
Error makeRunner(Setup &setup, StringRef folder) {
  std::vector<std::string> flags;
  if (setup.target.isGpu()) {
    flags.push_back("-DSINTER_ON_GPU");
    if (!gpuName()) {
      Expected<Emulation> emulation = compileEmulation(setup.cxx, (folder + "/emulation").str());
      if (!emulation)
        return emulation.takeError();
      setup.emulation = *emulation;
    }
  }
  Expected<std::string> runner = compileRunner(setup.cxx, folder, "model", flags);
  if (!runner)
    return runner.takeError();
  setup.runner = *runner;
  return Error::success();
}

template <class Print>
bool writeFile(const std::string &path, ArrayRef<Result> results, Print print) {
  if (path.empty())
    return true;
  std::error_code code;
  raw_fd_ostream out(path, code);
  if (code) {
    printError(path + ": " + code.message());
    return false;
  }
  print(out, results);
  return true;
}
/// Of a report that is there, the section which another program's run is written down in
/// (test/python/inside/backend.py).
std::string sectionOfBackend(const std::string &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  size_t begin = file ? (*file)->getBuffer().find("\n## By onnx.backend\n") : StringRef::npos;
  return begin == StringRef::npos ? "" : (*file)->getBuffer().substr(begin).str();
}
} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Flag<std::string> filter(FlagTrait::Positional, Takes("REGEX"));
  Flag<std::string> folder("cases", FlagTrait::Required, Says("what make_cases.py wrote"), Takes("folder"));
  Flag<std::string> cache("cache", Says("remembers sources that passed"), Takes("folder"));
  Flag<std::string> target("target", Initially("host"));
  Flag<std::string> cxxName("cxx", Says("C++ compiler"));
  Flag<std::string> optimization("O", FlagTrait::Attached, Says("optimization of generated code"), Initially("1"));
  Flag<unsigned> jobs("jobs", Says("cases at a time"), Initially(hardware_concurrency().compute_thread_count()));
  Flag<std::string> json("json", Says("results as JSON"), Takes("file"));
  Flag<std::string> report("report", Says("docs/conformance.md"), Takes("file"));
  Flag<std::string> onGpu("gpu", Says("what --json wrote of a run on a GPU, for the report's column"), Takes("file"));
  Flag<std::string> given("results", Says("what --json wrote before, in place of a run"), Takes("file"));
  Flag<unsigned> least("at-least", Says("fail when fewer pass"), Initially(0));
  Flag<bool> strict("strict", Says("fail when the compiler crashes, outputs differ, or a program dies"));
  FlagList compilerFlags("flag", Says("a flag of the compiler for all cases, such as --threads=3"), Takes("flag"));
  Flag<unsigned> every("every", Says("only each so manieth case, of the sample where one is asked for"), Initially(1),
                       Takes("n"));
  Flag<bool> sample("sample", Says("only one case for each operator, as the first words of names have it"));
  FlagList extra("cxxflag", Says("a further flag for the C++ compiler"));
  Flag<bool> cubins("cubins",
                    Says("of a GPU: nothing is run, but NVRTC compiles the device code; exits 77 without NVRTC"));
  Flag<bool> sanitize(
      "sanitize",
      Says("AddressSanitizer, UndefinedBehaviorSanitizer and all warnings over the generated code (--cxx is a "
           "Clang with lld), also with tensors of the least alignment and calls that are to be refused: fail when "
           "a program dies"));
  Flag<bool> quiet("quiet", Says("no list of what does not pass"));
  if (std::optional<ExitStatus> status =
          parseFlags({argv, argv + argc}, {"Runs the onnx package's backend tests through the compiler."}))
    return *status;

  Setup setup;
  if (cubins && findNvrtc(nvrtcFolders()).empty()) {
    outs() << "skipped: no NVRTC\n";
    return exitSkipped;
  }
  std::string problem;
  std::vector<Case> cases = readCases(folder, problem);
  std::optional<Target> found = findAnyTarget(target, problem);
  if (!problem.empty()) {
    printError(problem);
    return ExitUsage;
  }
  Regex regex(filter.empty() ? "." : filter.getValue());
  llvm::erase_if(cases, [&](const Case &one) { return !regex.match(one.kind + "/" + one.name); });
  if (sample)
    keepSample(cases);
  if (every > 1) {
    size_t place = 0;
    llvm::erase_if(cases, [&](const Case &) { return place++ % every != 0; });
  }
  setup.cases = folder;
  setup.flags.assign(compilerFlags.begin(), compilerFlags.end());
  setup.flags.push_back("--target=" + target);
  setup.onlyCubins = cubins;
  setup.sanitize = sanitize;
  setup.cache = cache;
  setup.target = *found;
  if (!cache.empty())
    sys::fs::create_directories(cache);
  Expected<Cxx> cxx = findCxx(setup.target, cxxName, optimization);
  Expected<std::unique_ptr<Staging>> staging = Staging::temporary();
  if (!cxx || !staging) {
    printError(cxx ? "no temporary folder" : toString(cxx.takeError()));
    return ExitUsage;
  }
  setup.cxx = *cxx;
  if (sanitize)
    addSanitizers(setup.cxx);
  setup.cxx.flags.insert(setup.cxx.flags.end(), extra.begin(), extra.end());
  if (Error error = cubins ? Error::success() : makeRunner(setup, (*staging)->folder())) {
    printError(toString(std::move(error)));
    return ExitUsage;
  }

  std::vector<Result> others = readResults(onGpu, problem), before = readResults(given, problem);
  if (!problem.empty()) {
    printError(problem);
    return ExitUsage;
  }
  Clock::time_point begin = Clock::now();
  std::vector<Result> results = given.empty() ? runAll(cases, setup, jobs) : before;
  if (!quiet)
    printReasons(outs(), results);
  printCounts(outs(), results);
  outs() << countPassed(results) << " of " << results.size() << " in "
         << std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count() << " s\n";
  std::string kept = sectionOfBackend(report);
  if (!writeFile(json, results, printJson) || !writeFile(report, results, [&](raw_ostream &out, ArrayRef<Result> all) {
        printMarkdown(out, all, others);
        out << kept;
      }))
    return ExitUsage;
  bool broken =
      sanitize && llvm::any_of(results, [](const Result &result) { return result.verdict.outcome == Outcome::Broken; });
  bool failed = strict && llvm::any_of(results, [](const Result &result) {
                  Outcome outcome = result.verdict.outcome;
                  return outcome == Outcome::Wrong || outcome == Outcome::Failed || outcome == Outcome::Broken;
                });
  return broken || failed || countPassed(results) < least ? ExitVerify : ExitOk;
}
