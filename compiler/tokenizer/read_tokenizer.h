// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of a tokenizer file, of any quality, to a Tokenizer. Which format it is the bytes say.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

/// What the file itself does not say.
struct ReadOptions {
  std::string pattern; ///< of tiktoken's files: a name (tiktoken_patterns.def) or a regular expression
};

/// None after a message.
std::optional<Tokenizer> readTokenizer(llvm::StringRef bytes, const ReadOptions &options, Diagnostics &diagnostics);

} // namespace sinter::tokenizer
