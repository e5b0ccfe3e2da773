// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting and printing of results.
#include "report.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;

namespace sinter::conformance {
namespace {
bool passed(const Result &result) {
  Outcome outcome = result.verdict.outcome;
  return outcome == Outcome::Passed || outcome == Outcome::PassedShape || outcome == Outcome::RecordingOff;
}

struct Counts {
  size_t all = 0, passed = 0, random = 0, off = 0, rejected = 0, wrong = 0, failed = 0, ofOneThread = 0;
  void add(const Verdict &verdict) {
    Outcome outcome = verdict.outcome;
    ++all;
    ofOneThread += !verdict.ofOneThread.empty();
    passed += outcome == Outcome::Passed;
    random += outcome == Outcome::PassedShape;
    off += outcome == Outcome::RecordingOff;
    rejected += outcome == Outcome::Rejected;
    wrong += outcome == Outcome::Wrong;
    failed += outcome == Outcome::Failed || outcome == Outcome::Broken;
  }
};

/// By kind, with "all" last.
std::vector<std::pair<std::string, Counts>> countsByKind(ArrayRef<Result> results) {
  std::map<std::string, Counts> byKind;
  Counts all;
  for (const Result &result : results) {
    byKind[result.one.kind].add(result.verdict);
    all.add(result.verdict);
  }
  std::vector<std::pair<std::string, Counts>> rows(byKind.begin(), byKind.end());
  rows.emplace_back("all", all);
  return rows;
}

/// One line of a reason.
std::string firstLine(StringRef reason) {
  std::string line = reason.split('\n').first.str();
  return line.size() > 200 ? line.substr(0, 200) + " ..." : line;
}

/// Whether a result is told with its reason: what does not pass, or passes all the same.
bool hasReason(const Result &result) { return !passed(result) || result.verdict.outcome == Outcome::RecordingOff; }

/// Reason to names of cases, most frequent first.
std::vector<std::pair<std::string, std::vector<std::string>>> byReason(ArrayRef<Result> results) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Result &result : results)
    if (hasReason(result))
      groups[(outcomeText(result.verdict.outcome) + ": " + firstLine(result.verdict.reason)).str()].push_back(
          result.one.name);
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(groups.begin(), groups.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return a.second.size() != b.second.size() ? a.second.size() > b.second.size() : a.first < b.first;
  });
  return sorted;
}

void printReasonList(raw_ostream &out, ArrayRef<Result> results) {
  for (const auto &[reason, names] : byReason(results)) {
    out << "- " << names.size() << " x " << StringRef(reason) << "\n  ";
    for (size_t i = 0; i < names.size(); ++i)
      out << (i ? ", " : "") << names[i];
    out << "\n";
  }
}
} // namespace

size_t countPassed(ArrayRef<Result> results) { return static_cast<size_t>(llvm::count_if(results, passed)); }

void printCounts(raw_ostream &out, ArrayRef<Result> results) {
  out << "kind                 cases  passed  random  recording off  rejected  wrong  failed\n";
  for (const auto &[kind, counts] : countsByKind(results))
    out << left_justify(kind, 20)
        << format("%6zu  %6zu  %6zu  %13zu  %8zu  %5zu  %6zu\n", counts.all, counts.passed, counts.random, counts.off,
                  counts.rejected, counts.wrong, counts.failed);
  if (size_t serial = countsByKind(results).back().second.ofOneThread)
    out << serial << " of them with a kernel that one thread computes\n";
}

void printReasons(raw_ostream &out, ArrayRef<Result> results) {
  for (const auto &[reason, names] : byReason(results)) {
    out << format("%4zu  ", names.size()) << reason << "\n";
    for (const std::string &name : names)
      out << "      " << name << "\n";
  }
}

void printJson(raw_ostream &out, ArrayRef<Result> results) {
  json::OStream stream(out, 1);
  stream.array([&] {
    for (const Result &result : results)
      stream.object([&] {
        stream.attribute("kind", result.one.kind);
        stream.attribute("name", result.one.name);
        stream.attribute("outcome", outcomeText(result.verdict.outcome));
        if (!result.verdict.reason.empty())
          stream.attribute("reason", json::fixUTF8(result.verdict.reason));
        if (!result.verdict.ofOneThread.empty())
          stream.attribute("one_thread", result.verdict.ofOneThread);
        stream.attribute("seconds", result.verdict.seconds);
      });
  });
  out << "\n";
}

std::vector<Result> readResults(StringRef path, std::string &problem) {
  std::vector<Result> results;
  if (path.empty())
    return results;
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  Expected<json::Value> read = json::parse(file ? (*file)->getBuffer() : StringRef());
  const json::Array *all = read ? read->getAsArray() : nullptr;
  if (!read)
    consumeError(read.takeError());
  if (!all)
    problem = (path + ": not what --json writes").str();
  for (size_t i = 0; all && i < all->size(); ++i) {
    const json::Object &each = *(*all)[i].getAsObject();
    auto text = [&](StringRef key) { return each.getString(key).value_or("").str(); };
    Result result;
    result.one.kind = text("kind");
    result.one.name = text("name");
    result.verdict = {Outcome::Failed, text("reason"), text("one_thread")};
    for (Outcome outcome : {Outcome::Passed, Outcome::PassedShape, Outcome::RecordingOff, Outcome::Rejected,
                            Outcome::Wrong, Outcome::Broken})
      if (outcomeText(outcome) == text("outcome"))
        result.verdict.outcome = outcome;
    results.push_back(result);
  }
  return results;
}

/// Of a run on a GPU: per kind how many pass, and in how many of these each kernel has many threads.
static void printColumns(raw_ostream &out, StringRef kind, ArrayRef<Result> onGpu) {
  size_t passing = 0, serial = 0;
  for (const Result &result : onGpu)
    if ((kind == "all" || result.one.kind == kind) && passed(result)) {
      ++passing;
      serial += !result.verdict.ofOneThread.empty();
    }
  out << " " << passing << " | " << passing - serial << " |";
}

/// What passes on the CPU only.
static void printOnlyHere(raw_ostream &out, ArrayRef<Result> results, ArrayRef<Result> onGpu) {
  std::set<std::string> passing;
  for (const Result &result : results)
    if (passed(result))
      passing.insert(result.one.name);
  std::vector<Result> others;
  llvm::copy_if(onGpu, std::back_inserter(others),
                [&](const Result &result) { return passing.count(result.one.name) != 0; });
  out << "\n## What does not pass on an emulated GPU, but here\n\n";
  printReasonList(out, others);
}

void printMarkdown(raw_ostream &out, ArrayRef<Result> results, ArrayRef<Result> onGpu) {
  out << "# Conformance\n\nMade by `sinter-conformance --report` from the backend tests of the onnx package 1.23.2: "
         "default pipeline, the "
         "same flags for each case,\nthe package's own tolerances, types and shapes, all outputs. *random* are cases "
         "whose output is a random "
         "draw (a generator operator\nreaches it): type and shape agree. *rejected*: the compiler says no, with a "
         "diagnostic.\n*recording off*: an output differs from the recording, and an evaluation in float64 says that "
         "each number that differs is within the tolerance\nof the exact one and nearer to it than what was "
         "recorded.";
  if (!onGpu.empty())
    out << " *on a GPU*: passed (also random) for `--target cuda-sm_80`\nin the emulation, all but whole image nets; "
           "*many threads*: of these, those whose kernels all have more than one thread.";
  out << "\n\n| kind | cases | passed | random | recording off | rejected | wrong | failed |"
      << (onGpu.empty() ? "" : " on a GPU | many threads |") << "\n|---|---|---|---|---|---|---|---|"
      << (onGpu.empty() ? "" : "---|---|") << "\n";
  for (const auto &[kind, counts] : countsByKind(results)) {
    out << "| " << kind << " | " << counts.all << " | " << counts.passed << " | " << counts.random << " | "
        << counts.off << " | " << counts.rejected << " | " << counts.wrong << " | " << counts.failed << " |";
    if (!onGpu.empty())
      printColumns(out, kind, onGpu);
    out << "\n";
  }
  out << "\n## What does not pass, or differs from its recording, and why\n\n";
  printReasonList(out, results);
  if (!onGpu.empty())
    printOnlyHere(out, results, onGpu);
}

} // namespace sinter::conformance
