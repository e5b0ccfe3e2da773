// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tokenizer and what belongs to its vocabulary, as the sources that a program has of them: of `sinter tokenizer` and
// of programs of text.
#pragma once

#include "chat_template/compile.h"
#include "grammar/tables.h"
#include "tokenizer/compile.h"

#include <optional>

namespace sinter {

struct TokenizerParts {
  tokenizer::CompiledTokenizer tokenizer;
  std::optional<chat_template::CompiledChat> chat;
  std::optional<grammar::GrammarTables> grammar; ///< what comes out is a text of it
};

/// Names of files and what is in them: PREFIX.h, which declares all, PREFIX.cpp, and one more for each part that is
/// there.
std::vector<std::pair<std::string, std::string>> tokenizerSources(const TokenizerParts &parts, llvm::StringRef prefix);

} // namespace sinter
