// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of flags, and messages about usage.
#include "driver/flags.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {

cl::OptionCategory &flagCategory() {
  static cl::OptionCategory category("Options");
  return category;
}

void parseFlags(const Arguments &arguments, const char *overview) {
  cl::HideUnrelatedOptions(flagCategory());
  if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), overview, &errs()))
    exit(ExitUsage);
}

void printError(const Twine &message, const Twine &hint) {
  errs() << "sinter: error: " << message << "\n";
  if (!hint.isTriviallyEmpty())
    errs() << "sinter: hint: " << hint << "\n";
}

} // namespace sinter
