// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A template's text as tokens. Whitespace control ends here, with trim_blocks and lstrip_blocks on, as models'
// templates expect it.
#pragma once

#include "chat_template/complaint.h"

#include <string>
#include <vector>

namespace sinter::chat_template {

struct Token {
  enum Kind { Text, OutputBegin, OutputEnd, BlockBegin, BlockEnd, Name, String, Integer, Operator, End };
  Kind kind;
  unsigned line;
  std::string text; ///< of strings what they stand for
  int64_t number = 0;
  bool is(Kind wanted, llvm::StringRef wantedText) const { return kind == wanted && text == wantedText; }
};

/// The last is End. After a complaint they are of no use.
std::vector<Token> lexTemplate(llvm::StringRef source, Complaint &complaint);

} // namespace sinter::chat_template
