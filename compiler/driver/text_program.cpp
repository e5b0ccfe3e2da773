// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of a stranger's files stands in the source as octal numbers within literals, so that none of it is read as code.
#include "driver/text_program.h"

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
  if (text.parts.chat)
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
  if (text.parts.chat) {
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

Error writeTokenizer(const TokenizerParts &parts, const Staging &staging, std::vector<std::string> &sources) {
  for (const auto &[name, made] : tokenizerSources(parts, tokensPrefix)) {
    if (Error error = staging.write(name, made))
      return error;
    if (StringRef(name).ends_with(".cpp"))
      sources.push_back(name);
  }
  return Error::success();
}

Error writeTextProgram(const TextProgram &text, StringRef weights, const Staging &staging,
                       std::vector<std::string> &sources) {
  if (Error error = staging.write("sinter_talk.h", talkHeader(text, weights)))
    return error;
  return writeTokenizer(text.parts, staging, sources);
}

} // namespace sinter
