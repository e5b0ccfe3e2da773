// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a verb answers under --json: one object on stdout, with the same first members for all verbs (docs/json.md). A
// verb declares a JsonFlag and gives its members to answer(); problems come by themselves; main.cpp prints it.
#pragma once

#include "driver/flags.h"

#include "diagnostics/diagnostics.h"
#include "llvm/Support/JSON.h"

namespace sinter {

/// --json. From where it is parsed on, messages are kept for the answer too.
class JsonFlag : public Flag<bool> {
public:
  JsonFlag() : Flag<bool>("json", Says("answer with one JSON object; docs/json.md describes it")) {}

private:
  std::optional<std::string> set(llvm::StringRef text) override;
};

/// Adds members to the answer.
void answer(llvm::json::Object members);
/// Prints diagnostics for people, on stderr, and keeps them for the answer.
void tell(const Diagnostics &diagnostics, llvm::StringRef model);
/// A message without a code, for the answer alone.
void keepProblem(llvm::StringRef message, llvm::StringRef hint);
/// Prints the answer, if one was asked for and there is something to say.
void printAnswer(llvm::StringRef verb, int status);

/// Foreign text as JSON takes it.
std::string utf8(llvm::StringRef foreign);

} // namespace sinter
