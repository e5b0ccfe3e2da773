// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of tiktoken: a line for each token, its bytes in base64 and its rank, which is its id.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

/// A first line of that form.
bool isTiktoken(llvm::StringRef bytes);
/// `pattern` is a name of tiktoken_patterns.def, or a regular expression. None after a message.
std::optional<Tokenizer> readTiktoken(llvm::StringRef bytes, llvm::StringRef pattern, Trouble &trouble);

} // namespace sinter::tokenizer
