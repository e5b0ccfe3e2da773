// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting and printing of results.
#include "report.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace sinter::conformance {
namespace {
bool passed(const Result &result) {
  return result.verdict.outcome == Outcome::Passed || result.verdict.outcome == Outcome::PassedShape;
}

struct Counts {
  size_t all = 0, passed = 0, random = 0, rejected = 0, wrong = 0, failed = 0;
  void add(Outcome outcome) {
    ++all;
    passed += outcome == Outcome::Passed;
    random += outcome == Outcome::PassedShape;
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
    byKind[result.one.kind].add(result.verdict.outcome);
    all.add(result.verdict.outcome);
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

/// Reason to names of cases, most frequent first.
std::vector<std::pair<std::string, std::vector<std::string>>> byReason(ArrayRef<Result> results) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Result &result : results)
    if (!passed(result))
      groups[(outcomeText(result.verdict.outcome) + ": " + firstLine(result.verdict.reason)).str()].push_back(
          result.one.name);
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(groups.begin(), groups.end());
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return a.second.size() != b.second.size() ? a.second.size() > b.second.size() : a.first < b.first;
  });
  return sorted;
}
} // namespace

size_t countPassed(ArrayRef<Result> results) { return static_cast<size_t>(llvm::count_if(results, passed)); }

void printCounts(raw_ostream &out, ArrayRef<Result> results) {
  out << "kind                 cases  passed  random  rejected  wrong  failed\n";
  for (const auto &[kind, counts] : countsByKind(results))
    out << left_justify(kind, 20)
        << format("%6zu  %6zu  %6zu  %8zu  %5zu  %6zu\n", counts.all, counts.passed, counts.random, counts.rejected,
                  counts.wrong, counts.failed);
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
        stream.attribute("seconds", result.verdict.seconds);
      });
  });
  out << "\n";
}

void printMarkdown(raw_ostream &out, ArrayRef<Result> results) {
  out << "# Conformance\n\nMade by `sinter-conformance --report` from the backend tests of the onnx package 1.23.2: "
         "default pipeline, the "
         "same flags for each case,\nthe package's own tolerances, types and shapes, all outputs. *random* are cases "
         "whose output is a random "
         "draw (a generator operator\nreaches it): type and shape agree. *rejected*: the compiler says no, with a "
         "diagnostic.\n\n"
         "| kind | cases | passed | random | rejected | wrong | failed |\n|---|---|---|---|---|---|---|\n";
  for (const auto &[kind, counts] : countsByKind(results))
    out << "| " << kind << " | " << counts.all << " | " << counts.passed << " | " << counts.random << " | "
        << counts.rejected << " | " << counts.wrong << " | " << counts.failed << " |\n";
  out << "\n## What does not pass, and why\n\n";
  for (const auto &[reason, names] : byReason(results)) {
    out << "- " << names.size() << " x " << StringRef(reason) << "\n  ";
    for (size_t i = 0; i < names.size(); ++i)
      out << (i ? ", " : "") << names[i];
    out << "\n";
  }
}

} // namespace sinter::conformance
