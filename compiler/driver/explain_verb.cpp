// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter explain CODE: the longer text behind a diagnostic. The texts: ../diagnostics/codes.def.
#include "diagnostics/diagnostics.h"
#include "driver/answer.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
struct Entry {
  llvm::StringLiteral number, summary;
};
constexpr Entry explanations[] = {
#define SINTER_CODE(number, name, summary, explanation) {#number, summary},
#include "diagnostics/codes.def"
#undef SINTER_CODE
};
} // namespace

int explainVerb(const Arguments &arguments) {
  Flag<std::string> code(FlagTrait::Positional, Takes("CODE"));
  JsonFlag asJson;
  bool isKnown = false;
  static constexpr StringRef examples[] = {"sinter explain", "sinter explain E0303"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Says what a diagnostic's code means. Without a code, lists them all.", examples}))
    return *status;
  json::Array found;
  for (const Entry &entry : explanations) {
    if (!code.empty() && !entry.number.equals_insensitive(code))
      continue;
    if (asJson)
      found.push_back(
          json::Object{{"code", entry.number}, {"summary", entry.summary}, {"explanation", explainCode(entry.number)}});
    else if (code.empty())
      outs() << entry.number << "  " << entry.summary << "\n";
    else
      outs() << entry.number << ": " << entry.summary << "\n\n" << explainCode(code) << "\n";
    isKnown = true;
  }
  if (isKnown) {
    answer(json::Object{{"codes", std::move(found)}});
    return ExitOk;
  }
  printError("no diagnostic has the code '" + code + "'", "sinter explain lists them all");
  return ExitUsage;
}

} // namespace sinter
