// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line on a terminal that says what long work is at; nothing where output is piped.
#pragma once

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace sinter {

class Progress {
public:
  explicit Progress(const std::string &what) { step(what); }
  ~Progress() { done(); }
  void step(const std::string &what) {
    done();
    if (!llvm::sys::Process::StandardErrIsDisplayed())
      return;
    llvm::errs() << "\r" << what << " ...";
    shown = true;
  }
  /// Takes the line away.
  void done() {
    if (shown)
      llvm::errs() << "\r\033[K";
    shown = false;
  }

private:
  bool shown = false;
};

} // namespace sinter
