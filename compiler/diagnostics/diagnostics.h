// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Sinter tells its user: one block per problem, all problems of a run, each with a stable code. Codes and their
// `explain` texts: codes.def.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace sinter {

/// The codes of codes.def, by name: `Code::UnknownOperator`.
enum class Code {
#define SINTER_CODE(number, name, summary, explanation) name,
#include "codes.def"
#undef SINTER_CODE
};

/// "E0107".
llvm::StringRef codeNumber(Code code);
/// The text of `sinter explain`; empty for an unknown number.
llvm::StringRef explainCode(llvm::StringRef number);

/// Where in the user's model: empty members are left out of the message.
struct ModelPlace {
  std::string node;         ///< name of the ONNX node (or, unnamed, of its first output)
  std::string operatorName; ///< "Resize", "com.microsoft.QGemm"
  int64_t opset = 0;
};

struct Problem {
  Code code;
  std::string message; ///< what is wrong, without a full stop
  ModelPlace place;
  std::string hint; ///< what to do about it
};

/// Collects problems; printing is at the end of the run, in the order of reporting.
class Diagnostics {
public:
  void report(Problem problem) {
    problem.message = about + problem.message;
    problems.push_back(std::move(problem));
  }
  /// What the user should know though nothing is wrong; printed before the problems.
  void note(const std::string &text) { notes.push_back(about + text); }
  bool hasErrors() const { return !problems.empty(); }
  const std::vector<Problem> &all() const { return problems; }
  const std::vector<std::string> &allNotes() const { return notes; }
  /// Prints "model: error: ... [E0107]" blocks. Text from the model is escaped: no control characters reach a terminal.
  void print(llvm::raw_ostream &out, llvm::StringRef model) const;

private:
  friend class DiagnosticsAbout;
  std::vector<Problem> problems;
  std::vector<std::string> notes;
  std::string about;
};

/// While it lives, problems and notes begin with a text: of which of several models they are.
class DiagnosticsAbout {
public:
  DiagnosticsAbout(Diagnostics &diagnostics, std::string about) : diagnostics(diagnostics), before(diagnostics.about) {
    diagnostics.about = std::move(about);
  }
  DiagnosticsAbout(const DiagnosticsAbout &) = delete;
  DiagnosticsAbout &operator=(const DiagnosticsAbout &) = delete;
  ~DiagnosticsAbout() { diagnostics.about = std::move(before); }

private:
  Diagnostics &diagnostics;
  std::string before;
};

} // namespace sinter
