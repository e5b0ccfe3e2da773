// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line of bytes to a board: a terminal device, or a child's standard input and output.
#pragma once

#include "llvm/Support/Error.h"
#include <chrono>
#include <sys/types.h>

namespace sinter {

class SerialLine {
public:
  using Clock = std::chrono::steady_clock;

  /// "serial:DEVICE[@BAUD]", else a command for the shell.
  static llvm::Expected<SerialLine> open(llvm::StringRef runner);
  SerialLine(SerialLine &&other);
  ~SerialLine();

  llvm::Error write(llvm::StringRef bytes);
  /// Waits for `count` bytes, until `end`; what came is taken.
  llvm::Expected<std::string> read(size_t count, Clock::time_point end);

private:
  SerialLine(int in, int out, pid_t child) : in(in), out(out), child(child) {}
  int in, out;
  pid_t child;
};

} // namespace sinter
