// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tuner.h"

#include "driver/answer.h"
#include "driver/compare.h"
#include "driver/inputs.h"
#include "driver/model_report.h"
#include "driver/output_file.h"
#include "driver/processor_name.h"
#include "driver/progress.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;

namespace sinter {
namespace {
using Clock = std::chrono::steady_clock;

/// Other orders of sums differ by so much, as a share of the largest value; what differs more is no option.
constexpr double kSameResults = 1e-4;
/// Runs of one program before the next has its turn, together about so long.
constexpr double kTurnSeconds = 0.05;
constexpr int kFewestTurns = 5;

/// One of the programs that are compared.
struct Variant {
  BuiltProgram built;
  ModelReport report;
  std::vector<double> kernelSeconds; ///< least of each
  double callSeconds = -1;           ///< least, of calls without the trace
};

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

class Tuner {
public:
  Tuner(const TuneFlags &flags, StringRef cxx, StringRef optimization, const CompileJob &job)
      : budget(flags.seconds), cxx(cxx), optimization(optimization), job(job), begin(Clock::now()) {}

  /// ExitOk with what was measured in `entries`, or the status to end with.
  ExitStatus run();
  std::vector<TuningEntry> entries;
  TuningOutcome outcome;

private:
  ExitStatus build(const std::map<std::string, std::string> &taken, Variant &variant);
  ExitStatus addVariants();
  /// Runs all in turn as long as `seconds` last.
  ExitStatus measure(ArrayRef<Variant *> variants, bool isTraced, double seconds, StringRef what);
  void findSites();
  void readTimes();
  ExitStatus settle(std::vector<size_t> best);
  bool hasTimeFor(double share) const { return secondsSince(begin) < budget * share; }

  double budget;
  StringRef cxx, optimization;
  const CompileJob &job;
  Clock::time_point begin;
  std::vector<HostArray> inputs, expected;
  std::vector<std::unique_ptr<Variant>> variants; ///< the first is the usual program
  std::vector<TimedSite> sites;
};

ExitStatus Tuner::build(const std::map<std::string, std::string> &taken, Variant &variant) {
  variant.built.job = job;
  variant.built.isTimed = true;
  variant.built.isTrial = outcome.programs > 0; // what the first has to say is said
  TunedChoices &choices = variant.built.job.tuned[job.codegen.target.name];
  choices.isNoted = true;
  choices.taken = taken;
  if (ExitStatus status = buildProgram(cxx, optimization, {}, variant.built))
    return status;
  Expected<ModelReport> report = readReport(*variant.built.staging, job.codegen.prefix);
  if (!report) {
    printError(toString(report.takeError()));
    return ExitInternal;
  }
  variant.report = std::move(*report);
  ++outcome.programs;
  return ExitOk;
}

void Tuner::findSites() {
  MapVector<StringRef, const TuningReport *> found;
  for (const KernelReport &kernel : variants.front()->report.kernels)
    if (kernel.tuning)
      found.insert({kernel.tuning->site, &*kernel.tuning});
  for (const auto &[text, tuning] : found)
    sites.push_back({text.str(), tuning->options, std::vector<double>(tuning->options.size(), -1.0)});
  outcome.sites = sites.size();
}

/// Every site takes its option of a number; those that have fewer take the usual one.
ExitStatus Tuner::addVariants() {
  size_t most = 1;
  for (const TimedSite &site : sites)
    most = std::max(most, site.options.size());
  for (size_t number = 1; number < most && hasTimeFor(0.5); ++number) {
    std::map<std::string, std::string> taken;
    for (const TimedSite &site : sites)
      if (number < site.options.size())
        taken[site.text] = site.options[number];
    auto variant = std::make_unique<Variant>();
    if (ExitStatus status = build(taken, *variant))
      return status;
    Expected<RunResult> result = variant->built.program->run(inputs);
    if (!result) {
      printError(toString(result.takeError()));
      return ExitInternal;
    }
    bool isSame = result->status == 0 && result->outputs.size() == expected.size() &&
                  llvm::all_of(zip(result->outputs, expected), [](const auto &both) {
                    return isClose(compare(std::get<0>(both), std::get<1>(both)), kSameResults);
                  });
    if (isSame) // else what was chosen from does not compute the same: nothing of it is taken
      variants.push_back(std::move(variant));
  }
  return ExitOk;
}

ExitStatus Tuner::measure(ArrayRef<Variant *> measured, bool isTraced, double seconds, StringRef what) {
  Progress progress(what.str());
  Clock::time_point start = Clock::now();
  RunOptions options;
  options.threads = job.codegen.threads;
  options.trace = isTraced;
  options.unmeasured = 3;
  options.seconds = kTurnSeconds;
  for (int turn = 0; turn < kFewestTurns || secondsSince(start) < seconds; ++turn) {
    for (Variant *variant : measured) {
      RunResult run;
      if (ExitStatus status = runProgram(*variant->built.program, inputs, options, progress, run))
        return status;
      auto lower = [](double &least, double value) { least = least < 0 ? value : std::min(least, value); };
      if (!isTraced)
        for (double each : run.seconds)
          lower(variant->callSeconds, each);
      variant->kernelSeconds.resize(run.kernelSeconds.size(), -1);
      for (auto [least, value] : zip(variant->kernelSeconds, run.kernelSeconds))
        lower(least, value);
    }
    progress.count(static_cast<size_t>(std::min(secondsSince(start), seconds) * 10),
                   static_cast<size_t>(seconds * 10) + 1);
  }
  return ExitOk;
}

/// Of each site and option the sum over the kernels that came of it.
void Tuner::readTimes() {
  StringMap<TimedSite *> bySite;
  for (TimedSite &site : sites)
    bySite[site.text] = &site;
  for (const std::unique_ptr<Variant> &variant : variants)
    for (auto [i, kernel] : enumerate(variant->report.kernels)) {
      if (!kernel.tuning || i >= variant->kernelSeconds.size())
        continue;
      TimedSite *site = bySite.lookup(kernel.tuning->site);
      if (!site)
        continue;
      size_t option = static_cast<size_t>(llvm::find(site->options, kernel.tuning->taken) - site->options.begin());
      // The usual option is judged by the usual program alone: it is in the others too, where fewer are on offer.
      if (option >= site->options.size() || (option == 0 && variant != variants.front()))
        continue;
      double &sum = site->seconds[option];
      sum = std::max(sum, 0.0) + variant->kernelSeconds[i];
    }
}

/// Whether the choices together are faster is measured again, on whole calls, beside the usual program. If they are
/// not, fewer of them are tried.
ExitStatus Tuner::settle(std::vector<size_t> best) {
  constexpr int mostTries = 3;
  Variant &usual = *variants.front();
  bool isKept = false;
  for (int tries = 0; tries < mostTries && !isKept && !best.empty(); ++tries) {
    std::map<std::string, std::string> taken;
    for (auto [site, option] : zip(sites, best))
      if (option)
        taken[site.text] = site.options[option];
    if (taken.empty())
      break;
    Variant tuned;
    if (ExitStatus status = build(taken, tuned))
      return status;
    usual.callSeconds = -1;
    if (ExitStatus status =
            measure({&usual, &tuned}, /*isTraced=*/false, std::max(1.0, budget * 0.1), "measuring what was chosen"))
      return status;
    outcome.seconds = tuned.callSeconds;
    outcome.usualSeconds = usual.callSeconds;
    isKept = isNotSlower(tuned.callSeconds, usual.callSeconds);
    if (!isKept)
      best = boldestHalf(sites, best);
  }
  if (!isKept)
    outcome.seconds = outcome.usualSeconds;
  for (auto [i, site] : enumerate(sites)) {
    if (site.usual() < 0)
      continue;
    size_t kept = isKept ? best[i] : 0;
    outcome.changed += kept ? 1 : 0;
    entries.push_back({job.codegen.target.name, job.codegen.compiler, site.text, site.options[kept],
                       site.options.front(), site.seconds[kept], site.usual(), processorName()});
  }
  return ExitOk;
}

ExitStatus Tuner::run() {
  variants.push_back(std::make_unique<Variant>());
  Variant &usual = *variants.front();
  if (ExitStatus status = build({}, usual))
    return status;
  findSites();
  if (sites.empty())
    return ExitOk;
  InputFlags madeUp;
  Expected<std::vector<HostArray>> gathered = madeUp.gather(usual.built.program->info(), 0, /*makeUp=*/true);
  if (!gathered) {
    printError(toString(gathered.takeError()));
    return ExitUsage;
  }
  inputs = std::move(*gathered);
  Expected<RunResult> first = usual.built.program->run(inputs);
  if (!first) {
    printError(toString(first.takeError()));
    return ExitInternal;
  }
  expected = std::move(first->outputs);
  if (ExitStatus status = addVariants())
    return status;
  SmallVector<Variant *> all;
  for (const std::unique_ptr<Variant> &variant : variants)
    all.push_back(variant.get());
  if (all.size() > 1)
    if (ExitStatus status = measure(all, /*isTraced=*/true, std::max(1.0, (budget - secondsSince(begin)) * 0.6),
                                    "measuring " + std::to_string(all.size()) + " programs in turn"))
      return status;
  readTimes();
  std::vector<size_t> best;
  for (const TimedSite &site : sites)
    best.push_back(bestOption(site));
  return settle(std::move(best));
}

} // namespace

ExitStatus tune(const TuneFlags &flags, StringRef cxx, StringRef optimization, CompileJob &job) {
  const Target &target = job.codegen.target;
  if (target.isGpu() || !runsOnHost(target)) {
    printError("--tune measures on this machine; programs for " + target.name + " are not run by it",
               "tune where they run, and give the file to --tuned here");
    return ExitUsage;
  }
  TuningFile file;
  if (sys::fs::exists(flags.file)) {
    Expected<TuningFile> known = TuningFile::read(flags.file);
    if (!known) {
      printError(toString(known.takeError()), "name another file, or remove this one");
      return ExitUsage;
    }
    file = std::move(*known);
  }
  CompileJob measured = job;
  measured.tuned.clear();
  Tuner tuner(flags, cxx, optimization, measured);
  if (ExitStatus status = tuner.run())
    return status;
  file.add(std::move(tuner.entries));
  std::string text = file.text();
  if (Error error = writeOutputs({{flags.file, text}})) { // whole or not at all
    printError(toString(std::move(error)));
    return ExitUsage;
  }
  const TuningOutcome &outcome = tuner.outcome;
  errs() << "sinter: tuned " << outcome.sites << " choices with " << outcome.programs
         << " programs: " << outcome.changed << " changed";
  if (outcome.usualSeconds > 0)
    errs() << format(", a call takes %.1f us instead of %.1f", outcome.seconds * 1e6, outcome.usualSeconds * 1e6);
  errs() << "; " << flags.file << "\n";
  job.tuned[target.name] = file.choicesFor(target.name, job.codegen.compiler);
  return ExitOk;
}

} // namespace sinter
