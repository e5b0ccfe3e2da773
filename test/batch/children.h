// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in forked children, several at a time: a crash, a hang or a greedy allocation of the compiler ends one piece of
// work and not the program that runs thousands.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>

namespace sinter {

struct ChildLimits {
  unsigned jobs = 1;      ///< children at a time
  unsigned seconds = 0;   ///< alarm of a child; 0: none
  uint64_t megabytes = 0; ///< of its address space; 0: any
};

struct ChildResult {
  size_t index = 0;
  std::string text; ///< what the work returned; empty if the child died
  std::string log;  ///< what it printed on stderr, if that is kept
  int signal = 0;   ///< that ended it, SIGALRM for the alarm; 0: none
  int exitStatus = 0;
  double seconds = 0;
  int64_t kilobytes = 0; ///< resident at most
};

/// Calls work(i) for each i below `count`, each in a child of its own, and done(result) here, as they end. `keepLog`:
/// stderr of children is collected instead of printed.
void runInChildren(size_t count, const ChildLimits &limits, bool keepLog, llvm::function_ref<std::string(size_t)> work,
                   llvm::function_ref<void(const ChildResult &)> done);

/// In a child: the limit on memory no longer holds, for programs that it starts (sanitizers reserve terabytes).
void liftMemoryLimit();

} // namespace sinter
