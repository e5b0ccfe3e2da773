// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/regex_class.h"

#include "tokenizer/regex_syntax.h"
#include "tokenizer/unicode.h"

#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr unsigned deepestClass = 8;

class ClassParser {
public:
  ClassParser(const std::vector<uint32_t> &text, size_t &at) : text(text), at(at) {}

  Expected<CodePointSet> character() {
    uint32_t c = text[at++];
    if (c == '[')
      return brackets(0);
    if (c == '\\')
      return escape(false);
    if (c == '.')
      return CodePointSet('\n', '\n').complement();
    return CodePointSet(c, c);
  }

private:
  Error error(const Twine &what) { return createStringError(what + " at character " + Twine(at)); }
  bool sees(uint32_t c, size_t ahead = 0) const { return at + ahead < text.size() && text[at + ahead] == c; }

  /// Behind the backslash.
  Expected<CodePointSet> escape(bool isInBrackets) {
    if (at == text.size())
      return error("a backslash at the end");
    uint32_t c = text[at++];
    switch (c) {
    case 's':
      return whiteSpace();
    case 'S':
      return whiteSpace().complement();
    case 'd':
      return unicodeCategory("Nd");
    case 'D':
      return unicodeCategory("Nd").complement();
    case 'w':
      return regexWordCharacters(isInBrackets);
    case 'W':
      return regexWordCharacters(isInBrackets).complement();
    case 'r':
      return CodePointSet('\r', '\r');
    case 'n':
      return CodePointSet('\n', '\n');
    case 't':
      return CodePointSet('\t', '\t');
    case 'f':
      return CodePointSet('\f', '\f');
    case 'v':
      return CodePointSet('\v', '\v');
    case 'p':
    case 'P':
      return property(c == 'P');
    case 'x':
    case 'u':
      return byNumber(c == 'u' ? 4 : 2);
    default:
      if (c < 0x80 && isAlnum(static_cast<char>(c)))
        return error("\\" + utf8Of(c) + " is not supported");
      return CodePointSet(c, c);
    }
  }

  Expected<CodePointSet> property(bool isNegated) {
    std::string name;
    if (sees('{')) {
      for (++at; at < text.size() && text[at] != '}'; ++at)
        name += utf8Of(text[at]);
      if (!sees('}'))
        return error("a { without its }");
      ++at;
    } else if (at < text.size()) {
      name = utf8Of(text[at++]);
    }
    Expected<CodePointSet> set = propertyByName(name);
    return set && isNegated ? set->complement() : std::move(set);
  }

  /// \xHH, \uHHHH, \x{H...}.
  Expected<CodePointSet> byNumber(unsigned digits) {
    std::string number;
    bool isBraced = sees('{');
    if (isBraced)
      for (++at; at < text.size() && text[at] != '}'; ++at)
        number += utf8Of(text[at]);
    else
      while (number.size() < digits && at < text.size() && text[at] < 0x80 && isHexDigit(static_cast<char>(text[at])))
        number += static_cast<char>(text[at++]);
    uint32_t value = 0;
    if ((isBraced && !sees('}')) || StringRef(number).getAsInteger(16, value) || value > lastCodePoint)
      return error("a character's number that is none");
    at += isBraced;
    return CodePointSet(value, value);
  }

  /// Behind the [: characters, ranges, classes, and && between what must all hold.
  Expected<CodePointSet> brackets(unsigned depth) {
    if (depth > deepestClass)
      return error("classes are nested too deep");
    bool isNegated = sees('^');
    at += isNegated;
    std::optional<CodePointSet> all;
    CodePointSet set;
    for (bool isFirst = true;; isFirst = false) {
      if (at == text.size())
        return error("a [ without its ]");
      if (sees(']') && !isFirst) {
        ++at;
        break;
      }
      if (sees('&') && sees('&', 1)) {
        at += 2;
        all = all ? *all & set : set;
        set = {};
        continue;
      }
      Expected<CodePointSet> part = item(depth);
      if (!part)
        return part.takeError();
      set.add(*part);
    }
    if (all)
      set = *all & set;
    return isNegated ? set.complement() : set;
  }

  Expected<CodePointSet> item(unsigned depth) {
    if (sees('[')) {
      if (sees(':', 1))
        return error("[:NAME:] is not supported");
      ++at;
      return brackets(depth + 1);
    }
    Expected<CodePointSet> first = one();
    bool isOne = first && first->ranges().size() == 1 && first->ranges()[0].first == first->ranges()[0].second;
    if (!isOne || !sees('-') || sees(']', 1) || at + 1 == text.size())
      return first;
    ++at;
    if (sees('['))
      return error("a range up to a class");
    Expected<CodePointSet> last = one();
    if (!last)
      return last;
    if (last->ranges().size() != 1 || last->ranges()[0].second < first->ranges()[0].first)
      return error("a range that ends in front of its beginning");
    return CodePointSet(first->ranges()[0].first, last->ranges()[0].second);
  }
  Expected<CodePointSet> one() {
    uint32_t c = text[at++];
    return c == '\\' ? escape(true) : Expected<CodePointSet>(CodePointSet(c, c));
  }

  const std::vector<uint32_t> &text;
  size_t &at;
};
} // namespace

Expected<CodePointSet> parseCharacters(const std::vector<uint32_t> &text, size_t &at) {
  return ClassParser(text, at).character();
}

} // namespace sinter::tokenizer
