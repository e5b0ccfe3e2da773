// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs of the sinter command, one file each; main.cpp dispatches. A verb makes its flags (flags.h), parses, works,
// returns the status.
#pragma once

#include <string>
#include <vector>

namespace sinter {

/// What the process ends with; docs/output-format.md.
enum ExitStatus : int {
  ExitOk = 0,
  ExitUsage = 1,    ///< usage, unreadable path, missing compiler
  ExitModel = 2,    ///< invalid or unsupported model, a dim without a value, external data
  ExitVerify = 3,   ///< verification failed
  ExitInternal = 4, ///< internal error, generated code that does not compile
};

/// The arguments after the verb; [0] is "sinter VERB", as messages show it.
using Arguments = std::vector<const char *>;

#define SINTER_VERB(name, summary) int name##Verb(const Arguments &arguments);
#include "verbs.def"
#undef SINTER_VERB

} // namespace sinter
