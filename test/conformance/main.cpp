// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-conformance: runs ONNX's backend tests through the compiler, each in a child of its own, as many at a time as
// there are cores. The compiler is linked in, so a case costs a fork, not a start. Cases: make_cases.py; one case:
// case.cpp; output: report.cpp.
#include "report.h"

#include "driver/flags.h"
#include "driver/model_program.h"
#include "driver/staging.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <fcntl.h>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace sinter;
using namespace sinter::conformance;

namespace {
constexpr unsigned caseSeconds = 180; // alarm of a child: a case that takes longer counts as failed

// Unoptimized code has every access that the source has, and compiles fastest.
constexpr StringRef sanitizerFlags[] = {"-O0",
                                        "-fsanitize=address,undefined",
                                        "-fno-sanitize-recover=all",
                                        "-Wall",
                                        "-Wextra",
                                        "-Wconversion",
                                        "-Werror",
                                        "-pedantic",
                                        "-fuse-ld=lld",
                                        "-Wno-unused-command-line-argument"};

using Clock = std::chrono::steady_clock;

struct Child {
  size_t index;
  int pipe;
  Clock::time_point start;
};

/// Starts a case; the child writes its outcome and reason to the pipe.
pid_t start(const Case &one, const Setup &setup, int &readEnd) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) // a compiler that outlives its case would keep the other end open
    report_fatal_error("cannot make a pipe");
  pid_t pid = fork();
  if (pid < 0)
    report_fatal_error("cannot fork");
  if (pid > 0) {
    close(ends[1]);
    readEnd = ends[0];
    return pid;
  }
  close(ends[0]);
  alarm(caseSeconds);
  Verdict verdict = runCase(one, setup);
  std::string text = static_cast<char>(verdict.outcome) + verdict.reason.substr(0, 60000);
  ssize_t written = write(ends[1], text.data(), text.size());
  _exit(written < 0);
}

Verdict finish(const Child &child, int status) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(child.pipe, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  close(child.pipe);
  Verdict verdict;
  verdict.seconds = std::chrono::duration<double>(Clock::now() - child.start).count();
  if (WIFSIGNALED(status))
    verdict.reason = WTERMSIG(status) == SIGALRM ? "took longer than " + std::to_string(caseSeconds) + " s"
                                                 : std::string("the compiler died: ") + strsignal(WTERMSIG(status));
  else if (text.empty())
    verdict.reason = "the compiler exited with status " + std::to_string(WEXITSTATUS(status));
  else
    verdict = {static_cast<Outcome>(text[0]), text.substr(1), verdict.seconds};
  return verdict;
}

/// Runs all cases; results in their order.
std::vector<Result> runAll(const std::vector<Case> &cases, const Setup &setup, unsigned jobs) {
  std::vector<Result> results;
  for (const Case &one : cases)
    results.push_back({one, {}});
  std::map<pid_t, Child> running;
  bool terminal = sys::Process::StandardErrIsDisplayed();
  size_t next = 0, done = 0;
  while (done < cases.size()) {
    while (running.size() < jobs && next < cases.size()) {
      Child child{next, -1, Clock::now()};
      pid_t pid = start(cases[next], setup, child.pipe);
      running[pid] = child;
      ++next;
    }
    int status = 0;
    pid_t pid = wait(&status);
    auto child = running.find(pid);
    if (child == running.end())
      continue;
    results[child->second.index].verdict = finish(child->second, status);
    running.erase(child);
    ++done;
    if (terminal)
      errs() << "\r" << done << "/" << cases.size() << "\033[K";
  }
  if (terminal)
    errs() << "\r\033[K";
  return results;
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
} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Flag<std::string> filter(cl::Positional, cl::desc("[REGEX]"));
  Flag<std::string> folder("cases", cl::Required, cl::desc("what make_cases.py wrote"), cl::value_desc("folder"));
  Flag<std::string> cache("cache", cl::desc("remembers sources that passed"), cl::value_desc("folder"));
  Flag<std::string> target("target", cl::init("host"));
  Flag<std::string> cxxName("cxx", cl::desc("C++ compiler"));
  Flag<std::string> optimization("O", cl::Prefix, cl::desc("optimization of generated code"), cl::init("1"));
  Flag<unsigned> jobs("jobs", cl::desc("cases at a time"), cl::init(hardware_concurrency().compute_thread_count()));
  Flag<std::string> json("json", cl::desc("results as JSON"), cl::value_desc("file"));
  Flag<std::string> report("report", cl::desc("docs/conformance.md"), cl::value_desc("file"));
  Flag<unsigned> least("at-least", cl::desc("fail when fewer pass"), cl::init(0));
  FlagList<std::string> extra("cxxflag", cl::desc("a further flag for the C++ compiler"));
  Flag<bool> sanitize(
      "sanitize",
      cl::desc("AddressSanitizer, UndefinedBehaviorSanitizer and all warnings over the generated code (--cxx is a "
               "Clang with lld): fail when a program dies"));
  Flag<bool> quiet("quiet", cl::desc("no list of what does not pass"));
  parseFlags({argv, argv + argc}, "Runs the onnx package's backend tests through the compiler.\n");

  Setup setup;
  std::string problem;
  std::vector<Case> cases = readCases(folder, problem);
  std::optional<Target> found = findTarget(target, problem);
  if (!problem.empty()) {
    printError(problem);
    return ExitUsage;
  }
  Regex regex(filter.empty() ? "." : filter.getValue());
  llvm::erase_if(cases, [&](const Case &one) { return !regex.match(one.kind + "/" + one.name); });
  setup.cases = folder;
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
    for (StringRef flag : sanitizerFlags)
      setup.cxx.flags.push_back(flag.str());
  setup.cxx.flags.insert(setup.cxx.flags.end(), extra.begin(), extra.end());
  Expected<std::string> runner = compileRunner(setup.cxx, (*staging)->folder(), "model");
  if (!runner) {
    printError(toString(runner.takeError()));
    return ExitUsage;
  }
  setup.runner = *runner;

  Clock::time_point begin = Clock::now();
  std::vector<Result> results = runAll(cases, setup, jobs);
  if (!quiet)
    printReasons(outs(), results);
  printCounts(outs(), results);
  outs() << countPassed(results) << " of " << results.size() << " in "
         << std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count() << " s\n";
  if (!writeFile(json, results, printJson) || !writeFile(report, results, printMarkdown))
    return ExitUsage;
  bool broken =
      sanitize && llvm::any_of(results, [](const Result &result) { return result.verdict.outcome == Outcome::Broken; });
  return broken || countPassed(results) < least ? ExitVerify : ExitOk;
}
