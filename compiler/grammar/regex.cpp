// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grammar/regex.h"
#include "grammar/automaton.h"

#include <algorithm>
#include <string>

namespace sinter::grammar {

namespace {

const CodePoints kDigits = {{'0', '9'}};
const CodePoints kWord = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const CodePoints kSpace = {{'\t', '\r'}, {' ', ' '}};

/// By recursive descent. The first problem ends it: `problem` is set, and what is returned means nothing.
class ExpressionParser {
public:
  ExpressionParser(std::string_view text, RegexFor use) : text(text), use(use) {}

  Pattern whole() {
    const bool isAnchored = take('^');
    Pattern inside = alternatives(0);
    if (at < text.size() && !problem)
      fail(text[at] == ')' ? "a ) closes nothing" : "^ and $ stand at the ends only", false);
    if (use == RegexFor::Text)
      return inside;
    const Pattern any = repeat(leaf(complement({})), 0, -1);
    std::vector<Pattern> parts;
    if (!isAnchored)
      parts.push_back(any);
    parts.push_back(inside);
    if (!endsInDollar)
      parts.push_back(any);
    return sequence(std::move(parts));
  }

  const char *problem = nullptr;
  bool isUnsupported = false;
  size_t place = 0;

private:
  void fail(const char *what, bool unsupported) {
    if (problem)
      return;
    problem = what;
    isUnsupported = unsupported;
    place = at;
    at = text.size();
  }
  bool take(char c) {
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  Pattern leaf(const CodePoints &points) const { return use == RegexFor::Text ? utf8(points) : jsonCharacters(points); }

  Pattern alternatives(size_t depth) {
    if (depth > kMaxDepth)
      fail("groups are nested too deep", true);
    std::vector<Pattern> parts = {terms(depth)};
    while (take('|'))
      parts.push_back(terms(depth));
    if (endsInDollar && parts.size() > 1)
      fail("^ and $ belong to all alternatives: put these into a group", true);
    return choice(std::move(parts));
  }
  Pattern terms(size_t depth) {
    std::vector<Pattern> parts;
    while (at < text.size() && text[at] != '|' && text[at] != ')') {
      if (text[at] == '$' && at + 1 == text.size() && depth == 0) {
        endsInDollar = true;
        ++at;
        break;
      }
      parts.push_back(repeated(atom(depth)));
      made += parts.back()->size; // those of groups again with these, as the limit is one of memory
      if (made > 4 * kMaxPatternSize)
        fail("more parts than its automaton may have", true);
    }
    return sequence(std::move(parts));
  }
  Pattern repeated(Pattern part) {
    for (int times = 0; at < text.size(); ++times) {
      int min = 0, max = -1;
      if (take('+'))
        min = 1;
      else if (take('?'))
        max = 1;
      else if (take('{'))
        bounds(min, max);
      else if (!take('*'))
        break;
      take('?'); // a lazy repetition has the same texts
      if (times >= 8)
        fail("repetitions of repetitions", true);
      part = repeat(std::move(part), min, max);
    }
    return part;
  }
  int number() {
    int n = 0;
    const size_t begin = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      n = std::min(n * 10 + (text[at] - '0'), kMaxRepeats + 1);
    if (begin == at)
      fail("a number is missing", false);
    else if (n > kMaxRepeats)
      fail("a repetition has too large a bound", true);
    return n;
  }
  void bounds(int &min, int &max) {
    min = number();
    max = min;
    if (take(','))
      max = at < text.size() && text[at] == '}' ? -1 : number();
    if (!take('}'))
      fail("a } is missing", false);
    if (max >= 0 && max < min)
      fail("a repetition's bounds are the wrong way round", false);
  }
  Pattern atom(size_t depth) {
    if (take('(')) {
      if (take('?') && !take(':'))
        fail("look-around, named groups and flags", true);
      Pattern inside = alternatives(depth + 1);
      if (!take(')'))
        fail("a ) is missing", false);
      return inside;
    }
    if (take('['))
      return leaf(characterClass());
    if (take('.'))
      return leaf(complement({{'\n', '\n'}}));
    if (take('\\'))
      return leaf(escape());
    const char c = text[at];
    if (c == '^' || c == '$')
      fail("^ and $ stand at the ends only", true);
    else if (c == '*' || c == '+' || c == '?' || c == '{' || c == '}' || c == ']')
      fail("a sign of repetition or class stands alone", false);
    const uint32_t point = codePoint();
    return leaf({{point, point}});
  }
  /// A code point of UTF-8.
  uint32_t codePoint() {
    if (at >= text.size()) {
      fail("the expression ends too early", false);
      return 0;
    }
    const auto byte = [&](size_t i) { return uint32_t(static_cast<unsigned char>(text[i])); };
    const uint32_t lead = byte(at);
    const size_t n = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (at + n > text.size() || (lead >= 0x80 && lead < 0xc2) || lead > 0xf4) {
      fail("the expression is no UTF-8", false);
      return 0;
    }
    uint32_t point = n == 1 ? lead : lead & (0x7fu >> n);
    for (size_t i = 1; i < n; ++i)
      point = point << 6 | (byte(at + i) & 0x3f);
    at += n;
    return std::min(point, uint32_t(0x10ffff));
  }
  uint32_t hex(size_t digits) {
    uint32_t point = 0;
    for (size_t i = 0; i < digits; ++i, ++at) {
      const char c = at < text.size() ? text[at] : '\0';
      const bool isLetter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!isLetter && !(c >= '0' && c <= '9')) {
        fail("a hexadecimal digit is missing", false);
        return 0;
      }
      point = point * 16 + uint32_t(isLetter ? (c | 0x20) - 'a' + 10 : c - '0');
    }
    return point;
  }
  CodePoints escape() {
    if (at >= text.size()) {
      fail("the expression ends in a backslash", false);
      return {};
    }
    const char c = text[at++];
    const auto one = [](uint32_t point) { return CodePoints{{point, point}}; };
    switch (c) {
    case 'd':
      return kDigits;
    case 'D':
      return complement(kDigits);
    case 'w':
      return kWord;
    case 'W':
      return complement(kWord);
    case 's':
      return kSpace;
    case 'S':
      return complement(kSpace);
    case 'n':
      return one('\n');
    case 'r':
      return one('\r');
    case 't':
      return one('\t');
    case 'f':
      return one('\f');
    case 'v':
      return one('\v');
    case 'x':
      return one(hex(2));
    case 'u':
      return one(hex(4));
    default:
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
        fail("an escape that is not known, as of a back reference, a boundary or a property", true);
      --at;
      return one(codePoint());
    }
  }
  CodePoints characterClass() {
    const bool isNegated = take('^');
    CodePoints points;
    for (bool isFirst = true; at < text.size() && (isFirst || text[at] != ']'); isFirst = false) {
      if (isFirst && text[at] == ']')
        break;
      CodePoints part = item();
      if (at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') {
        ++at;
        const CodePoints end = item();
        if (part.size() != 1 || end.size() != 1 || part[0].first != part[0].second || end[0].first < part[0].first)
          fail("a range of characters is the wrong way round", false);
        else
          part[0].second = end[0].first;
      }
      points.insert(points.end(), part.begin(), part.end());
    }
    if (!take(']'))
      fail("a ] is missing", false);
    const CodePoints others = complement(points); // sorted, apart
    const CodePoints result = isNegated ? others : complement(others);
    if (result.empty())
      fail("a class of no characters", false);
    return result;
  }
  CodePoints item() {
    if (take('\\')) {
      if (take('b'))
        return {{'\b', '\b'}};
      return escape();
    }
    const uint32_t point = codePoint();
    return {{point, point}};
  }

  std::string_view text;
  RegexFor use;
  size_t at = 0, made = 0;
  bool endsInDollar = false;
};

} // namespace

Pattern jsonCharacters(const CodePoints &points) {
  CodePoints plain;
  std::vector<Pattern> parts;
  for (auto [first, last] : points) {
    for (const char quoted : {'"', '\\'})
      if (first <= uint32_t(quoted) && uint32_t(quoted) <= last)
        parts.push_back(literal(std::string("\\") + quoted));
    for (const auto &[low, high] : CodePoints{{0x20, 0x21}, {0x23, 0x5b}, {0x5d, 0x10ffff}})
      if (std::max(first, low) <= std::min(last, high))
        plain.push_back({std::max(first, low), std::min(last, high)});
  }
  if (!plain.empty())
    parts.push_back(utf8(plain));
  return choice(std::move(parts));
}

std::optional<Pattern> parseRegex(std::string_view expression, RegexFor use, Diagnostics &diagnostics) {
  ExpressionParser parser(expression, use);
  const Pattern parsed = parser.whole();
  if (!parser.problem)
    return parsed;
  const Code code = parser.isUnsupported ? Code::GrammarUnsupported : Code::GrammarInvalid;
  diagnostics.report({code,
                      "a regular expression, at byte " + std::to_string(parser.place) + ": " + parser.problem,
                      {},
                      "docs/text-generation.md lists what expressions may have"});
  return std::nullopt;
}

} // namespace sinter::grammar
