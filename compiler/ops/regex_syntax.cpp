// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive descent. Groups capture nothing here, and who is greedy does not matter where the whole text must match.
#include "regex_syntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace sinter {
namespace {

using CodeRanges = std::vector<CodeRange>;

CodeRanges normalizedRanges(CodeRanges ranges) {
  llvm::sort(ranges, [](CodeRange a, CodeRange b) { return a.first < b.first; });
  CodeRanges apart;
  for (CodeRange range : ranges)
    if (!apart.empty() && range.first <= apart.back().last + 1)
      apart.back().last = std::max(apart.back().last, range.last);
    else
      apart.push_back(range);
  return apart;
}

CodeRanges complement(const CodeRanges &ranges) {
  CodeRanges others;
  uint32_t next = 0;
  for (CodeRange range : normalizedRanges(ranges)) {
    if (range.first > next)
      others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= lastCode)
    others.push_back({next, lastCode});
  return others;
}

/// ASCII's classes, by the letter behind a backslash or the name in [:name:].
std::optional<CodeRanges> classNamed(StringRef name) {
  using R = CodeRanges;
  return llvm::StringSwitch<std::optional<CodeRanges>>(name)
      .Cases("d", "digit", R{{'0', '9'}})
      .Case("s", R{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}})
      .Case("space", R{{'\t', '\r'}, {' ', ' '}})
      .Cases("w", "word", R{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}})
      .Case("alnum", R{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}})
      .Case("alpha", R{{'A', 'Z'}, {'a', 'z'}})
      .Case("ascii", R{{0, 0x7f}})
      .Case("blank", R{{'\t', '\t'}, {' ', ' '}})
      .Case("cntrl", R{{0, 0x1f}, {0x7f, 0x7f}})
      .Case("graph", R{{'!', '~'}})
      .Case("lower", R{{'a', 'z'}})
      .Case("print", R{{' ', '~'}})
      .Case("punct", R{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}})
      .Case("upper", R{{'A', 'Z'}})
      .Case("xdigit", R{{'0', '9'}, {'A', 'F'}, {'a', 'f'}})
      .Default(std::nullopt);
}

class RegexParser {
public:
  RegexParser(StringRef pattern, std::string &problem) : rest(pattern), problem(problem) {}

  std::optional<Regex> run() {
    Regex regex = choice();
    if (problem.empty() && !rest.empty())
      fail("a parenthesis closes that none opened");
    return problem.empty() ? std::optional(std::move(regex)) : std::nullopt;
  }

private:
  struct Flags {
    bool foldsCase = false, dotIsAll = false;
  };

  void fail(const Twine &what) {
    if (problem.empty())
      problem = what.str();
    rest = {};
  }

  Regex choice() {
    Regex all{Regex::Choice, {}, {}};
    do
      all.parts.push_back(sequence());
    while (rest.consume_front("|"));
    return all.parts.size() == 1 ? std::move(all.parts.front()) : std::move(all);
  }

  Regex sequence() {
    Regex all{Regex::Sequence, {}, {}};
    while (!rest.empty() && rest.front() != '|' && rest.front() != ')') {
      std::optional<Regex> one = atom();
      if (!one)
        continue;
      all.parts.push_back(repeated(std::move(*one)));
    }
    return all;
  }

  /// Nothing for what only sets flags.
  std::optional<Regex> atom() {
    if (rest.consume_front("("))
      return group();
    if (rest.consume_front("["))
      return Regex{Regex::Letter, bracket(), {}};
    if (rest.consume_front("."))
      return Regex{Regex::Letter, flags.dotIsAll ? CodeRanges{{0, lastCode}} : complement({{'\n', '\n'}}), {}};
    if (rest.consume_front("^"))
      return Regex{Regex::Begin, {}, {}};
    if (rest.consume_front("$"))
      return Regex{Regex::End, {}, {}};
    if (StringRef("*+?").contains(rest.front())) {
      fail("there is nothing to repeat in front of '" + Twine(rest.front()) + "'");
      return std::nullopt;
    }
    if (rest.consume_front("\\"))
      return escape();
    return letter(code());
  }

  Regex letter(uint32_t code) { return {Regex::Letter, normalizedRanges(folded({code, code})), {}}; }

  std::optional<Regex> group() {
    constexpr int mostNested = 200;
    Flags outer = flags;
    if (rest.consume_front("?")) {
      if (rest.consume_front("P<") || rest.consume_front("<")) {
        size_t end = rest.find('>');
        if (end == StringRef::npos || end == 0)
          fail("a group's name has no end");
        rest = rest.drop_front(std::min(rest.size(), end + 1));
      } else if (!readFlags()) { // (?i) is for the rest of the group around
        return std::nullopt;
      }
    }
    if (++depth > mostNested)
      fail("groups are nested more than " + Twine(mostNested) + " deep");
    Regex inner = choice();
    --depth;
    flags = outer;
    if (!rest.consume_front(")"))
      fail("a parenthesis is not closed");
    return inner;
  }

  /// Up to the colon, or false where the group ends there.
  bool readFlags() {
    bool value = true;
    while (!rest.empty()) {
      char flag = rest.front();
      rest = rest.drop_front();
      switch (flag) {
      case ':':
        return true;
      case ')':
        return false;
      case '-':
        value = false;
        break;
      case 'i':
        flags.foldsCase = value;
        break;
      case 's':
        flags.dotIsAll = value;
        break;
      case 'U':
        break;
      default:
        fail("the flag '" + Twine(flag) + "' is not supported");
        return true;
      }
    }
    fail("a parenthesis is not closed");
    return true;
  }

  Regex repeated(Regex one) {
    int least = 0, most = -1;
    if (rest.consume_front("+"))
      least = 1;
    else if (rest.consume_front("?"))
      most = 1;
    else if (!rest.consume_front("*") && !counted(least, most))
      return one;
    rest.consume_front("?");
    if (!rest.empty() && StringRef("*+?").contains(rest.front()))
      fail("a repetition is repeated");
    Regex repeat{Regex::Repeat, {}, {}, least, most};
    repeat.parts.push_back(std::move(one));
    return repeat;
  }

  /// {2}, {2,} or {2,5}; another brace is a letter.
  bool counted(int &least, int &most) {
    constexpr int mostCopies = 1000;
    StringRef inside = rest;
    if (!inside.consume_front("{") || inside.consumeInteger(10, least))
      return false;
    most = least;
    if (inside.consume_front(",") && !inside.starts_with("}")) {
      if (inside.consumeInteger(10, most))
        return false;
    } else if (rest.take_front(rest.size() - inside.size()).ends_with(",")) {
      most = -1;
    }
    if (!inside.consume_front("}"))
      return false;
    rest = inside;
    if (least > mostCopies || most > mostCopies || (most >= 0 && least > most))
      fail("a repetition's bounds are not in order, or above " + Twine(mostCopies));
    return true;
  }

  uint32_t code() {
    const auto *from = reinterpret_cast<const UTF8 *>(rest.data());
    UTF32 value = 0, *to = &value;
    unsigned size = rest.empty() ? 1 : getNumBytesForUTF8(*from);
    if (size > rest.size() || ConvertUTF8toUTF32(&from, from + size, &to, to + 1, strictConversion) != conversionOK) {
      fail("it is not UTF-8");
      return 0;
    }
    rest = rest.drop_front(size);
    return value;
  }

  Regex escape() {
    if (rest.empty()) {
      fail("it ends with a backslash");
      return {};
    }
    char which = rest.front();
    if (std::optional<CodeRanges> known = escapedClass())
      return {Regex::Letter, *known, {}};
    auto edge = llvm::StringSwitch<std::optional<Regex::Kind>>(StringRef(&which, 1))
                    .Case("A", Regex::Begin)
                    .Case("z", Regex::End)
                    .Case("b", Regex::WordEdge)
                    .Case("B", Regex::NoWordEdge)
                    .Default(std::nullopt);
    if (edge) {
      rest = rest.drop_front();
      return {*edge, {}, {}};
    }
    if (rest.consume_front("Q")) {
      auto [quoted, behind] = rest.split("\\E");
      rest = quoted;
      Regex all{Regex::Sequence, {}, {}};
      while (!rest.empty())
        all.parts.push_back(letter(code()));
      rest = behind;
      return all;
    }
    return letter(escapedCode());
  }

  std::optional<CodeRanges> escapedClass() {
    StringRef name = rest.take_front();
    std::optional<CodeRanges> known = StringRef("dsw").contains(name.lower()) ? classNamed(name.lower()) : std::nullopt;
    if (!known)
      return std::nullopt;
    bool isOther = name != name.lower();
    rest = rest.drop_front();
    return isOther ? complement(*known) : *known;
  }

  uint32_t escapedCode() {
    char which = rest.empty() ? 0 : rest.front();
    constexpr StringLiteral names = "afnrtv", values = "\a\f\n\r\t\v";
    if (size_t place = names.find(which); which && place != StringRef::npos) {
      rest = rest.drop_front();
      return static_cast<uint32_t>(values[place]);
    }
    if (rest.consume_front("x")) {
      StringRef digits = rest.take_front(2);
      if (rest.consume_front("{")) {
        digits = rest.take_until([](char c) { return c == '}'; });
        rest = rest.drop_front(std::min(rest.size(), digits.size() + 1));
      } else {
        rest = rest.drop_front(digits.size());
      }
      uint32_t value = 0;
      if (digits.empty() || digits.getAsInteger(16, value) || value > lastCode)
        fail("\\x is followed by no code point");
      return value;
    }
    if (!which || isAlnum(which) || static_cast<unsigned char>(which) >= 0x80) {
      fail("\\" + Twine(which) + " is not supported");
      return 0;
    }
    rest = rest.drop_front();
    return static_cast<uint32_t>(which);
  }

  CodeRanges bracket() {
    bool isOther = rest.consume_front("^");
    CodeRanges all;
    for (bool isFirst = true; isFirst || !rest.consume_front("]"); isFirst = false) { // []a] has a bracket in it
      if (rest.empty()) {
        fail("a bracket is not closed");
        return {};
      }
      if (rest.consume_front("[:")) {
        StringRef name = rest.take_until([](char c) { return c == ':'; });
        rest = rest.drop_front(name.size());
        bool isNot = name.consume_front("^");
        std::optional<CodeRanges> known = name.size() > 1 ? classNamed(name) : std::nullopt;
        if (!known || !rest.consume_front(":]"))
          fail("[:" + name + ":] names no class");
        else
          llvm::append_range(all, isNot ? complement(*known) : *known);
        continue;
      }
      if (rest.starts_with("\\")) {
        StringRef before = rest;
        rest = rest.drop_front();
        if (std::optional<CodeRanges> known = escapedClass()) {
          llvm::append_range(all, *known);
          continue;
        }
        rest = before;
      }
      uint32_t first = bracketCode(), last = first;
      if (rest.size() > 1 && rest.front() == '-' && rest[1] != ']') {
        rest = rest.drop_front();
        last = bracketCode();
      }
      if (last < first)
        fail("a range's ends are not in order");
      llvm::append_range(all, folded({first, last}));
    }
    return isOther ? complement(all) : normalizedRanges(all);
  }

  uint32_t bracketCode() { return rest.consume_front("\\") ? escapedCode() : code(); }

  /// With (?i) letters of both cases. Of what is not ASCII nothing is folded, so that it must not be among them.
  CodeRanges folded(CodeRange range) {
    CodeRanges both{range};
    if (!flags.foldsCase)
      return both;
    if (range.last >= 0x80 && range.last != lastCode)
      fail("(?i) with letters that are not ASCII is not supported");
    for (uint32_t c = range.first; c <= std::min<uint32_t>(range.last, 0x7f); ++c) {
      if (!isAlpha(static_cast<char>(c)))
        continue;
      both.push_back({c ^ 0x20, c ^ 0x20});
      if ((c | 0x20) == 'k')
        both.push_back({0x212a, 0x212a}); // the sign of Kelvin
      if ((c | 0x20) == 's')
        both.push_back({0x17f, 0x17f}); // the long s
    }
    return both;
  }

  StringRef rest;
  std::string &problem;
  Flags flags;
  int depth = 0;
};

} // namespace

std::optional<Regex> parseRegex(StringRef pattern, std::string &problem) {
  problem.clear();
  return RegexParser(pattern, problem).run();
}

} // namespace sinter
