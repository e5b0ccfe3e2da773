// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/lexer.h"

#include "chat_template/string_literal.h"
#include "runtime-lite/generation/chat_text.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
constexpr size_t mostTokens = 1 << 18;

size_t spacesBefore(StringRef text) {
  return text.size() - generation::strippedOfSpace({text.data(), text.size()}, generation::StripRight).size;
}
size_t spacesBehind(StringRef text) {
  return text.size() - generation::strippedOfSpace({text.data(), text.size()}, generation::StripLeft).size;
}

/// Line ends are one byte, and the last one is no part of the text.
std::string unifyLines(StringRef source) {
  std::string text;
  for (size_t i = 0; i < source.size(); ++i)
    if (source[i] != '\r')
      text += source[i];
    else if (i + 1 == source.size() || source[i + 1] != '\n')
      text += '\n';
  if (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

class TemplateLexer {
public:
  TemplateLexer(StringRef source, Complaint &complaint) : rest(source), complaint(complaint) {}

  std::vector<Token> run() {
    while (!rest.empty() && !complaint.hasSpoken() && tokens.size() < mostTokens)
      lexTextAndTag();
    if (tokens.size() >= mostTokens)
      complaint.tooLarge(line, "the template has more than " + Twine(mostTokens) + " words");
    add(Token::End, "");
    return std::move(tokens);
  }

private:
  void add(Token::Kind kind, StringRef text) { tokens.push_back({kind, line, text.str()}); }
  void skip(size_t count) {
    line += rest.take_front(count).count('\n');
    startsLine = count && rest[count - 1] == '\n';
    rest = rest.drop_front(count);
  }
  /// Where the next tag begins; the end without one.
  size_t findTag() const {
    for (size_t at = 0; (at = rest.find('{', at)) != StringRef::npos; ++at)
      if (at + 1 < rest.size() && StringRef("{%#").contains(rest[at + 1]))
        return at;
    return rest.size();
  }

  void lexTextAndTag() {
    size_t at = findTag();
    StringRef text = rest.take_front(at);
    bool isEnd = at == rest.size();
    char kind = isEnd ? 0 : rest[at + 1], sign = at + 2 < rest.size() ? rest[at + 2] : 0;
    size_t lineStart = text.rfind('\n') + 1; // none wraps to zero
    if (!isEnd && sign == '-')
      text = text.drop_back(spacesBefore(text));
    else if (!isEnd && sign != '+' && kind != '{' && (lineStart || startsLine) &&
             spacesBefore(text.drop_front(lineStart)) == text.size() - lineStart)
      text = text.take_front(lineStart);
    if (!text.empty())
      add(Token::Text, text);
    skip(at);
    if (isEnd)
      return;
    skip(2 + (sign == '-' || (sign == '+' && kind != '{')));
    if (kind == '#')
      return lexComment();
    add(kind == '{' ? Token::OutputBegin : Token::BlockBegin, "");
    unsigned opened = line;
    while (!complaint.hasSpoken() && !lexEnd(kind)) {
      if (rest.empty())
        return complaint.invalid(opened, Twine("a tag {") + Twine(kind) + " has no end");
      lexWord();
    }
  }

  void lexComment() {
    size_t end = rest.find("#}");
    if (end == StringRef::npos)
      return complaint.invalid(line, "a comment {# has no end");
    bool strips = end && rest[end - 1] == '-', keeps = end && rest[end - 1] == '+';
    skip(end);
    skipBehindTag(2, strips, !keeps);
  }
  void skipBehindTag(size_t size, bool strips, bool trims) {
    StringRef behind = rest.drop_front(size);
    skip(size + (strips ? spacesBehind(behind) : trims && behind.starts_with("\n")));
  }
  /// Whether the tag ends here.
  bool lexEnd(char kind) {
    skip(spacesBehind(rest));
    StringRef close = kind == '{' ? "}}" : "%}";
    if (!brackets.empty() && kind == '{' && brackets.back() == '{')
      return false; // of a dictionary
    bool strips = rest.starts_with("-"), keeps = kind == '%' && rest.starts_with("+");
    if (!rest.drop_front(strips || keeps).starts_with(close))
      return false;
    if (!brackets.empty()) {
      complaint.invalid(line, Twine("a bracket ") + Twine(brackets.back()) + " has no end");
      return true;
    }
    add(kind == '{' ? Token::OutputEnd : Token::BlockEnd, "");
    skipBehindTag(2 + (strips || keeps), strips, kind == '%' && !keeps);
    return true;
  }

  void lexWord() {
    char c = rest[0];
    if (c == '"' || c == '\'')
      return lexString(c);
    if (isAlpha(c) || c == '_') {
      size_t size = rest.find_if_not([](char c) { return isAlnum(c) || c == '_'; });
      return take(Token::Name, std::min(size, rest.size()));
    }
    if (isDigit(c))
      return lexNumber();
    static constexpr StringLiteral longOperators[] = {"==", "!=", "<=", ">=", "//", "**"};
    for (StringRef longOperator : longOperators)
      if (rest.starts_with(longOperator))
        return take(Token::Operator, 2);
    if (!StringRef("+-*/%~<>=.,:|()[]{}").contains(c))
      return complaint.invalid(line, "the character '" + printable(c) + "' has no meaning in a tag");
    if (StringRef("([{").contains(c))
      brackets += c;
    static constexpr StringLiteral openers = "([{", closers = ")]}";
    if (size_t which = closers.find(c); which != StringRef::npos) {
      if (brackets.empty() || brackets.back() != openers[which])
        return complaint.invalid(line, Twine("a bracket ") + Twine(c) + " closes nothing");
      brackets.pop_back();
    }
    take(Token::Operator, 1);
  }
  static std::string printable(char c) { return isPrint(c) ? std::string(1, c) : "\\x" + utohexstr(uint8_t(c)); }
  void take(Token::Kind kind, size_t size) {
    add(kind, rest.take_front(size));
    skip(size);
  }
  void lexNumber() {
    size_t size = std::min(rest.find_if_not([](char c) { return isAlnum(c) || c == '_'; }), rest.size());
    if (rest.drop_front(size).starts_with(".") && size + 1 < rest.size() && isDigit(rest[size + 1]))
      return complaint.unsupported(line, "numbers with a fraction");
    int64_t number = 0;
    if (rest.take_front(size).getAsInteger(10, number))
      return complaint.unsupported(line, "the number '" + rest.take_front(size) + "'");
    take(Token::Integer, size);
    tokens.back().number = number;
  }
  void lexString(char quote) {
    size_t end = 1;
    while (end < rest.size() && rest[end] != quote)
      end += rest[end] == '\\' ? 2 : 1;
    if (end >= rest.size())
      return complaint.invalid(line, "a string has no end");
    std::optional<std::string> text = unescape(rest.slice(1, end));
    if (!text)
      return complaint.unsupported(line, "an escape in a string: " + rest.take_front(std::min<size_t>(end + 1, 60)));
    add(Token::String, *text);
    skip(end + 1);
  }

  StringRef rest;
  Complaint &complaint;
  std::vector<Token> tokens;
  std::string brackets; ///< those that are open
  unsigned line = 1;
  bool startsLine = true;
};
} // namespace

std::vector<Token> lexTemplate(StringRef source, Complaint &complaint) {
  std::string text = unifyLines(source);
  return TemplateLexer(text, complaint).run();
}

} // namespace sinter::chat_template
