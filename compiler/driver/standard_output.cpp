// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor moves, and standard error takes its place, so that all that prints to outs() need not know.
#include "driver/standard_output.h"

#include "driver/flags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace sinter {
namespace {
int kept = -1;

/// Paths for which it was kept: /proc/self/fd/1 by any link is another file from then on.
std::vector<std::string> &keptFor() {
  static std::vector<std::string> paths;
  return paths;
}
} // namespace

int standardOutput() { return kept < 0 ? STDOUT_FILENO : kept; }

bool isStandardOutputKept() { return kept >= 0; }

bool isStandardOutput(StringRef path) {
  if (path == "-" || is_contained(keptFor(), path))
    return true;
  sys::fs::file_status named, own;
  return !sys::fs::status(path, named) && !sys::fs::status(standardOutput(), own) && sys::fs::equivalent(named, own);
}

void keepStandardOutputFor(StringRef path) {
  if (!isStandardOutput(path))
    return;
  keptFor().push_back(path.str());
  if (kept >= 0)
    return;
  outs().flush();
  kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (kept >= 0)
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

int finishStandardOutput(int status) {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error(); // or its destructor ends the program
  if (!code)
    return status;
  printError("standard output: " + code.message());
  return status == ExitOk ? ExitUsage : status;
}

} // namespace sinter
