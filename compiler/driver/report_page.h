// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --html: what a verb answers under --json as a page to look at, one file that needs no network. Its parts, and what
// they draw: page/.
#pragma once

#include "driver/flags.h"

#include "llvm/Support/JSON.h"

namespace sinter {

struct CompileJob;

class HtmlFlag : public Flag<std::string> {
public:
  HtmlFlag() : Flag<std::string>("html", FlagTrait::Output, Says("write a page to look at"), Takes("file.html")) {}
};

/// The page of a verb's answer; `report` in it is the compiled model's (docs/json.md).
std::string reportPage(const llvm::json::Object &answer);

/// Writes the page, whole or not at all; what is wrong is said.
ExitStatus writeReportPage(const llvm::json::Object &answer, llvm::StringRef path);
/// What a verb found out of a model, and the model's graph: answered under --json, drawn where there is a path.
ExitStatus answerWithGraph(llvm::json::Object found, const CompileJob &job, bool isAnswer, llvm::StringRef page);

} // namespace sinter
