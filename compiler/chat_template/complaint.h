// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reading and compiling a template say: the first problem, with its line. More of them would follow from it.
#pragma once

#include "diagnostics/diagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

namespace sinter::chat_template {

class Complaint {
public:
  explicit Complaint(Diagnostics &diagnostics) : diagnostics(diagnostics) {}
  void invalid(unsigned line, const llvm::Twine &what) {
    say(Code::InvalidChatTemplate, line, what, "Jinja refuses it too, or fails where it is used");
  }
  void unsupported(unsigned line, const llvm::Twine &what) {
    say(Code::UnsupportedChatTemplate, line, what, "`sinter explain E0832` says what is supported");
  }
  void tooLarge(unsigned line, const llvm::Twine &what) {
    say(Code::ChatTemplateTooLarge, line, what, "`sinter explain E0833` has the limits");
  }
  bool hasSpoken() const { return spoken; }

private:
  void say(Code code, unsigned line, const llvm::Twine &what, llvm::StringRef hint) {
    if (!spoken)
      diagnostics.report({code, ("line " + llvm::Twine(line) + ": " + what).str(), {}, hint.str()});
    spoken = true;
  }
  Diagnostics &diagnostics;
  bool spoken = false;
};

} // namespace sinter::chat_template
