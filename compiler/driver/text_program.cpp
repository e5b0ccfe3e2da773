// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of a stranger's files stands in the source as octal numbers within literals, so that none of it is read as code.
#include "driver/text_program.h"

#include "chat_template/emit.h"
#include "tokenizer/emit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr StringRef tokensPrefix = "sinter_tokens"; // that no model has

std::string literalOf(StringRef text) {
  std::string literal = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (isAlnum(c) || c == ' ')
      literal += c;
    else
      literal += {'\\', char('0' + byte / 64), char('0' + byte / 8 % 8), char('0' + byte % 8)};
  }
  return literal + "\"";
}

std::string talkHeader(const TextProgram &text, StringRef weights) {
  std::string made;
  raw_string_ostream out(made);
  out << "// What a program of text is made with.\n#include \"" << tokensPrefix << ".h\"\n";
  if (text.chat)
    out << "#define SINTER_CHAT 1\n";
  if (!weights.empty())
    out << "#define SINTER_WEIGHTS " << literalOf(weights) << "\n";
  out << "namespace {\n";
  out << "constexpr long long beginToken = " << text.begin << ";\n";
  out << "constexpr long long endTokens[] = {";
  for (int64_t end : text.ends)
    out << end << ", ";
  out << "-1};\n";
  out << "const char *const firstWords[] = {";
  for (const std::string &word : text.words)
    out << literalOf(word) << ", ";
  out << "nullptr};\n";
  if (text.chat) {
    out << "const sinter_tokens_variable variables[] = {";
    for (const auto &[name, value] : text.variables)
      out << "{" << literalOf(name) << ", " << name.size() << ", " << literalOf(value) << ", " << value.size()
          << ", 0}, ";
    out << "{\"\", 0, \"\", 0, 0}};\n";
    out << "constexpr size_t variableCount = " << text.variables.size() << ";\n";
  }
  out << "} // namespace\n";
  return made;
}

} // namespace

Error writeTokenizer(const tokenizer::CompiledTokenizer &tokenizer, const Staging &staging,
                     std::vector<std::string> &sources, StringRef declared) {
  const std::string prefix = tokensPrefix.str();
  if (Error error = staging.write(prefix + ".h", tokenizer::emitHeader(tokenizer, prefix, declared)))
    return error;
  sources.push_back(prefix + ".cpp");
  return staging.write(prefix + ".cpp", tokenizer::emitSource(tokenizer, prefix));
}

Error writeTextProgram(const TextProgram &text, StringRef weights, const Staging &staging,
                       std::vector<std::string> &sources) {
  const std::string prefix = tokensPrefix.str();
  if (Error error = staging.write("sinter_talk.h", talkHeader(text, weights)))
    return error;
  if (Error error =
          writeTokenizer(text.tokenizer, staging, sources, text.chat ? chat_template::emitChatHeader(prefix) : ""))
    return error;
  if (!text.chat)
    return Error::success();
  sources.push_back(prefix + "_chat.cpp");
  return staging.write(prefix + "_chat.cpp", chat_template::emitChatSource(*text.chat, prefix));
}

} // namespace sinter
