// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tokenizer_sources.h"

#include "chat_template/emit.h"
#include "driver/grammar_flags.h"
#include "grammar/emit.h"
#include "tokenizer/emit.h"

using namespace llvm;

namespace sinter {

std::vector<std::pair<std::string, std::string>> tokenizerSources(const TokenizerParts &parts, StringRef prefix) {
  std::string declared;
  std::vector<std::pair<std::string, std::string>> more;
  if (parts.chat) {
    declared += chat_template::emitChatHeader(prefix);
    more.emplace_back((prefix + "_chat.cpp").str(), chat_template::emitChatSource(*parts.chat, prefix));
  }
  if (parts.grammar) {
    std::vector<std::string> tokens = bytesOfTokens(parts.tokenizer);
    declared += grammar::emitGrammarHeader(prefix, tokens.size());
    more.emplace_back((prefix + "_grammar.cpp").str(), grammar::emitGrammarSource(*parts.grammar, tokens, prefix));
  }
  std::vector<std::pair<std::string, std::string>> files;
  files.emplace_back((prefix + ".h").str(), tokenizer::emitHeader(parts.tokenizer, prefix, declared));
  files.emplace_back((prefix + ".cpp").str(), tokenizer::emitSource(parts.tokenizer, prefix));
  llvm::append_range(files, more);
  return files;
}

} // namespace sinter
