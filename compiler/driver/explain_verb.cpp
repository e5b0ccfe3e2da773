// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter explain CODE: the longer text behind a diagnostic. The texts: ../diagnostics/codes.def.
#include "diagnostics/diagnostics.h"
#include "driver/flags.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {
struct Entry {
  StringLiteral number, summary;
};
constexpr Entry codes[] = {
#define SINTER_CODE(number, name, summary, explanation) {#number, summary},
#include "diagnostics/codes.def"
#undef SINTER_CODE
};
} // namespace

int explainVerb(const Arguments &arguments) {
  Flag<std::string> code(FlagTrait::Positional, Takes("CODE"));
  static constexpr StringRef examples[] = {"sinter explain", "sinter explain E0303"};
  if (std::optional<ExitStatus> status =
          parseFlags(arguments, {"Says what a diagnostic's code means. Without a code, lists them all.", examples}))
    return *status;
  for (const Entry &entry : codes) {
    if (code.empty())
      outs() << entry.number << "  " << entry.summary << "\n";
    else if (entry.number.equals_insensitive(code)) {
      outs() << entry.number << ": " << entry.summary << "\n\n" << explainCode(code) << "\n";
      return ExitOk;
    }
  }
  if (code.empty())
    return ExitOk;
  printError("no diagnostic has the code '" + code + "'", "sinter explain lists them all");
  return ExitUsage;
}

} // namespace sinter
