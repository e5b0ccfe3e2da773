// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a signal ends the program: at once, and with nothing left behind. Handlers call only what POSIX allows in them,
// so that a signal within malloc, or a crash of it, cannot hang. LLVM's handlers print stack traces, which allocates.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sinter {

/// For main(): an interruption removes what RemovedOnSignal names and ends the program as the signal does by default; a
/// crash is told with its code first, and the exit status is that of internal errors.
void installSignalHandlers();
bool handlesSignals();

/// What a crash from now on is said to be of.
void nameModelInCrashes(llvm::StringRef model);

/// A signal on this thread runs on a stack of its own, since the overflow of a stack is one.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;

private:
  char *memory;
};

/// A file, or a folder with all that is in it, which a signal removes while this object lives. It need not exist yet.
class RemovedOnSignal {
public:
  enum class What { Everything, EmptyFolder };
  explicit RemovedOnSignal(llvm::StringRef path, What what = What::Everything);
  ~RemovedOnSignal();
  RemovedOnSignal(RemovedOnSignal &&other) noexcept : slot(other.slot) { other.slot = nullptr; }
  RemovedOnSignal(const RemovedOnSignal &) = delete;

private:
  void *slot; ///< null: none was free
};

/// A child, the leader of its process group, which an interruption ends as a whole while this object lives.
class EndedOnSignal {
public:
  explicit EndedOnSignal(int process);
  ~EndedOnSignal();
  EndedOnSignal(const EndedOnSignal &) = delete;

private:
  int process;
};

/// Interruptions wait while this object lives: for steps that are done whole or not at all.
class SignalsWait {
public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait &) = delete;
};

} // namespace sinter
