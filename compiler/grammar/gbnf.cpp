// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two steps: text becomes trees in which other rules are named, then rules are put together. Names in trees are leaves
// of the kind Call, whose number is that of the name.
#include "grammar/gbnf.h"
#include "grammar/automaton.h"

#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <map>
#include <string>

namespace sinter::grammar {

namespace {

constexpr size_t kMostRules = 2000, kMostParts = 50000;
constexpr size_t kMostPlaces = 4 * kMaxPatternSize;        // of parts in linked rules, bytes included
constexpr size_t kDeepestRule = 256, kDeepestWalk = 20000; // nodes within one rule; from rule to rule

struct NamedRule {
  std::string name;
  size_t line; ///< where it is defined, or first referred to
  Pattern body;
};

/// By recursive descent. The first problem ends it.
class GbnfParser {
public:
  GbnfParser(std::string_view text, Diagnostics &diagnostics) : text(text), diagnostics(diagnostics) {}

  bool parse() {
    for (blanks(true); at < text.size() && !hasFailed; blanks(true)) {
      const size_t line = lineOf(at);
      const std::string_view name = word();
      if (name.empty())
        return fail(Code::GrammarInvalid, "a rule is missing", "rules have the form name ::= alternatives");
      blanks(false);
      if (text.substr(at, 3) != "::=")
        return fail(Code::GrammarInvalid, "::= is missing behind " + std::string(name),
                    "rules have the form name ::= alternatives");
      at += 3;
      const size_t rule = numberOf(name);
      if (rules[rule].body)
        return fail(Code::GrammarInvalid, "the rule " + std::string(name) + " is defined twice", "rename one of them");
      Pattern body = alternatives(0);
      if (body->kind == PatternNode::TooLarge || body->depth > kDeepestRule)
        return fail(Code::GrammarTooLarge, "the rule " + std::string(name) + " is too large, or nested too deep",
                    "make rules of its groups");
      rules[rule].line = line;
      rules[rule].body = std::move(body);
      if (!hasFailed && at < text.size() && text[at] != '\n' && text[at] != '\r')
        return fail(Code::GrammarInvalid, text[at] == ')' ? "a ) closes nothing" : "nothing here has such a sign",
                    "texts stand in quotes");
    }
    return !hasFailed;
  }
  bool fail(Code code, const std::string &what, const char *hint, size_t line = 0) {
    if (!hasFailed)
      diagnostics.report(
          {code, "line " + std::to_string(line ? line : lineOf(at)) + " of the grammar: " + what, {}, hint});
    hasFailed = true;
    at = text.size();
    return false;
  }
  size_t numberOf(std::string_view name) {
    const auto [found, isNew] = numbers.try_emplace(std::string(name), rules.size());
    if (isNew)
      rules.push_back({std::string(name), lineOf(at), nullptr});
    if (rules.size() > kMostRules)
      fail(Code::GrammarTooLarge, "there are more than 2000 rules", "put some of them together");
    return found->second;
  }
  std::vector<NamedRule> rules;

private:
  size_t lineOf(size_t place) const {
    return 1 + size_t(std::count(text.begin(), text.begin() + ptrdiff_t(std::min(place, text.size())), '\n'));
  }
  bool take(char c) {
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  /// Blanks and comments; the end of a line only where a rule cannot end.
  void blanks(bool isWithin) {
    while (at < text.size()) {
      const char c = text[at];
      if (c == '#')
        at = std::min(text.find('\n', at), text.size());
      else if (c == ' ' || c == '\t' || (isWithin && (c == '\n' || c == '\r')))
        ++at;
      else
        break;
    }
  }
  std::string_view word() {
    const size_t begin = at;
    const auto isOfName = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    while (at < text.size() && isOfName(text[at]))
      ++at;
    return text.substr(begin, at - begin);
  }
  Pattern part(Pattern made) {
    if (++partCount > kMostParts)
      fail(Code::GrammarTooLarge, "there are more than 50000 parts", "leave out what text does not need");
    return made;
  }

  Pattern alternatives(size_t depth) {
    if (depth > kMaxDepth)
      fail(Code::GrammarTooLarge, "groups are nested too deep", "make rules of them");
    blanks(true);
    std::vector<Pattern> parts = {terms(depth)};
    while (take('|')) {
      blanks(true);
      parts.push_back(terms(depth));
    }
    return choice(std::move(parts));
  }
  Pattern terms(size_t depth) {
    std::vector<Pattern> parts;
    while (at < text.size() && !hasFailed) {
      const char c = text[at];
      Pattern one;
      if (c == '"')
        one = quoted();
      else if (c == '[')
        one = characterClass();
      else if (c == '.')
        ++at, one = utf8(complement({}));
      else if (c == '(')
        one = group(depth);
      else if (c == '<' || c == '!')
        fail(Code::GrammarUnsupported, "a token by its name or number", "write its text in quotes");
      else if (const std::string_view name = word(); !name.empty())
        one = call(int(numberOf(name)));
      else
        break;
      if (hasFailed)
        break;
      parts.push_back(part(repeated(std::move(one))));
      blanks(depth > 0);
    }
    return sequence(std::move(parts));
  }
  Pattern group(size_t depth) {
    const size_t begin = at++;
    Pattern inside = alternatives(depth + 1);
    if (!hasFailed && !take(')'))
      fail(Code::GrammarInvalid, "a ) is missing", "each ( has one", lineOf(begin));
    return inside;
  }
  Pattern repeated(Pattern one) {
    for (int times = 0; at < text.size() && !hasFailed; ++times) {
      int min = 0, max = -1;
      if (take('+'))
        min = 1;
      else if (take('?'))
        max = 1;
      else if (take('{'))
        bounds(min, max);
      else if (!take('*'))
        break;
      if (times >= 8)
        fail(Code::GrammarTooLarge, "repetitions of repetitions", "one has the same texts");
      one = repeat(std::move(one), min, max);
    }
    return one;
  }
  int number() {
    int n = 0;
    const size_t begin = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      n = std::min(n * 10 + (text[at] - '0'), kMaxRepeats + 1);
    if (begin == at)
      fail(Code::GrammarInvalid, "a number is missing", "repetitions are {2}, {2,} or {2,5}");
    else if (n > kMaxRepeats)
      fail(Code::GrammarTooLarge, "a repetition has a bound above 2000", "leave it out: {2,}");
    return n;
  }
  void bounds(int &min, int &max) {
    blanks(false);
    min = text.substr(at, 1) == "," ? 0 : number();
    max = min;
    blanks(false);
    if (take(',')) {
      blanks(false);
      max = text.substr(at, 1) == "}" ? -1 : number();
      blanks(false);
    }
    if (!hasFailed && !take('}'))
      fail(Code::GrammarInvalid, "a } is missing", "repetitions are {2}, {2,} or {2,5}");
    if (!hasFailed && max >= 0 && max < min)
      fail(Code::GrammarInvalid, "a repetition's bounds are the wrong way round", "the smaller one comes first");
  }

  /// A code point, quoted or not.
  uint32_t character() {
    if (at >= text.size() || text[at] == '\n') {
      fail(Code::GrammarInvalid, "a text or a class has no end on its line", "\\n is a line's end within them");
      return 0;
    }
    if (take('\\'))
      return escaped();
    const auto *from = reinterpret_cast<const llvm::UTF8 *>(text.data() + at), *begin = from;
    llvm::UTF32 point = 0, *to = &point;
    const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.data() + text.size());
    llvm::ConvertUTF8toUTF32(&from, std::min(begin + 4, end), &to, &point + 1, llvm::strictConversion);
    if (from == begin)
      fail(Code::GrammarInvalid, "bytes that are no UTF-8", "\\xHH is a code point by its number");
    at += size_t(from - begin);
    return point;
  }
  uint32_t escaped() {
    static constexpr std::string_view kNames = "nrtabfv", kMeanings = "\n\r\t\a\b\f\v";
    const char c = at < text.size() ? text[at++] : '\0';
    if (const size_t i = kNames.find(c); i != std::string_view::npos)
      return uint32_t(kMeanings[i]);
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (!digits) {
      static constexpr std::string_view kSigns = "\"\\[]-^'/.";
      if (kSigns.find(c) == std::string_view::npos)
        fail(Code::GrammarInvalid, "a \\ that quotes nothing", "a \\ itself is \\\\");
      return static_cast<unsigned char>(c);
    }
    uint64_t point = 0;
    for (size_t i = 0; i < digits; ++i, ++at) {
      static constexpr std::string_view kHex = "0123456789abcdef";
      const size_t digit = at < text.size() ? kHex.find(char(text[at] | 0x20)) : std::string_view::npos;
      if (digit == std::string_view::npos || text[at] < '0') {
        fail(Code::GrammarInvalid, "digits are missing behind \\" + std::string(1, c),
             "\\xHH, \\uHHHH and \\UHHHHHHHH are code points");
        return 0;
      }
      point = point * 16 + digit;
    }
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
      fail(Code::GrammarInvalid, "a number that is no code point", "they end with \\U0010FFFF, surrogates are none");
    return uint32_t(point);
  }
  Pattern quoted() {
    std::vector<Pattern> parts;
    ++at;
    while (!hasFailed && !take('"')) {
      const uint32_t point = character();
      parts.push_back(part(utf8({{point, point}})));
    }
    return sequence(std::move(parts));
  }
  Pattern characterClass() {
    ++at;
    const bool isNegated = take('^');
    CodePoints points;
    while (!hasFailed && !take(']')) {
      const uint32_t low = character();
      uint32_t high = low;
      if (text.substr(at, 1) == "-" && text.substr(at + 1, 1) != "]") {
        ++at;
        high = character();
      }
      if (!hasFailed && high < low)
        fail(Code::GrammarInvalid, "a class has a range the wrong way round", "the smaller end comes first");
      points.push_back({low, high});
      ++partCount;
    }
    CodePoints others = complement(std::move(points)); // twice makes them rise, and be apart
    return part(utf8(isNegated ? others : complement(std::move(others))));
  }

  std::string_view text;
  Diagnostics &diagnostics;
  std::map<std::string, size_t> numbers;
  size_t at = 0, partCount = 0;
  bool hasFailed = false;
};

/// Rules by their names to rules of the automaton.
class RuleLinker {
public:
  RuleLinker(GbnfParser &parser) : parser(parser), named(parser.rules) {}

  std::optional<std::vector<Pattern>> link(size_t root) {
    made.push_back(root);
    std::vector<Pattern> patterns;
    for (size_t i = 0; i < made.size() && !hasFailed; ++i) {
      open = {made[i]};
      patterns.push_back(linked(named[made[i]].body));
    }
    return hasFailed ? std::nullopt : std::optional(std::move(patterns));
  }

private:
  /// Bytes are shared; what has parts is copied with them, and all places that copies have are counted.
  Pattern linked(const Pattern &pattern) {
    if (hasFailed || pattern->kind == PatternNode::Bytes)
      return pattern;
    if (pattern->kind == PatternNode::Call)
      return linkedRule(size_t(pattern->rule));
    placeCount += pattern->parts.size();
    if (++partCount > kMostParts || placeCount > kMostPlaces) {
      hasFailed = !parser.fail(Code::GrammarTooLarge, "rules within rules make too many parts",
                               "let rules have fewer uses", named[open.back()].line);
      return pattern;
    }
    std::vector<Pattern> parts = pattern->parts;
    for (Pattern &part : parts)
      part = linked(part);
    return withParts(*pattern, std::move(parts));
  }
  /// Part of what refers to it, unless it is within itself, or that is too deep.
  Pattern linkedRule(size_t rule) {
    if (std::find(open.begin(), open.end(), rule) != open.end() || open.size() >= kMaxDepth / 2) {
      const auto at = std::find(made.begin(), made.end(), rule);
      const auto number = int(at - made.begin());
      if (at == made.end())
        made.push_back(rule);
      return call(number);
    }
    open.push_back(rule);
    Pattern inside = linked(named[rule].body);
    open.pop_back();
    return inside;
  }

  GbnfParser &parser;
  const std::vector<NamedRule> &named;
  std::vector<size_t> made, open; ///< rules of the automaton; those that are being put together
  size_t partCount = 0, placeCount = 0;
  bool hasFailed = false;
};

/// Which rules may come first in a rule, nothing being in front of them.
class LeftEdges {
public:
  explicit LeftEdges(const std::vector<NamedRule> &rules) : rules(rules), empty(rules.size()), seen(rules.size()) {
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (size_t i = 0; i < rules.size(); ++i)
        if (!empty[i] && isEmpty(*rules[i].body))
          isChanged = empty[i] = true;
    }
  }
  /// A rule that begins with itself; else that of `rules.size()`.
  size_t find() {
    for (size_t i = 0; i < rules.size(); ++i)
      if (!seen[i] && !visit(i))
        return culprit;
    return rules.size();
  }
  /// Rules begin with others that begin with others, further than is walked.
  bool isTooDeep() const { return tooDeep; }

private:
  enum Seen : char { No, Open, Done };
  bool isEmpty(const PatternNode &p) const {
    switch (p.kind) {
    case PatternNode::Bytes:
    case PatternNode::TooLarge:
      return false;
    case PatternNode::Sequence:
      return std::all_of(p.parts.begin(), p.parts.end(), [&](const Pattern &part) { return isEmpty(*part); });
    case PatternNode::Choice:
      return std::any_of(p.parts.begin(), p.parts.end(), [&](const Pattern &part) { return isEmpty(*part); });
    case PatternNode::Repeat:
      return p.min == 0 || isEmpty(*p.parts[0]);
    case PatternNode::Call:
      return empty[size_t(p.rule)];
    }
    return false;
  }
  bool visit(size_t rule) {
    seen[rule] = Open;
    const bool fine = visitParts(*rules[rule].body);
    seen[rule] = Done;
    return fine;
  }
  bool visitParts(const PatternNode &p) {
    tooDeep = ++depth > kDeepestWalk || tooDeep;
    const bool fine = !tooDeep && visitInside(p);
    --depth;
    return fine;
  }
  bool visitInside(const PatternNode &p) {
    if (p.kind == PatternNode::Call) {
      const auto rule = size_t(p.rule);
      if (seen[rule] == Open)
        culprit = rule;
      return seen[rule] == Done || (seen[rule] == No && visit(rule));
    }
    for (const Pattern &part : p.parts) {
      if (!visitParts(*part))
        return false;
      if (p.kind == PatternNode::Sequence && !isEmpty(*part))
        break;
    }
    return true;
  }

  const std::vector<NamedRule> &rules;
  std::vector<bool> empty;
  std::vector<char> seen;
  size_t culprit = 0, depth = 0;
  bool tooDeep = false;
};

} // namespace

std::optional<std::vector<Pattern>> rulesOfGbnf(std::string_view grammar, Diagnostics &diagnostics) {
  GbnfParser parser(grammar, diagnostics);
  if (!parser.parse())
    return std::nullopt;
  const size_t root = parser.numberOf("root");
  for (const NamedRule &rule : parser.rules)
    if (!rule.body) {
      parser.fail(Code::GrammarInvalid, "there is no rule " + rule.name,
                  rule.name == "root" ? "the whole text is the rule root" : "define it: name ::= alternatives",
                  rule.line);
      return std::nullopt;
    }
  LeftEdges edges(parser.rules);
  const size_t left = edges.find();
  if (edges.isTooDeep()) {
    parser.fail(Code::GrammarTooLarge, "rules that begin with rules are nested too deep", "put some of them together",
                1);
    return std::nullopt;
  }
  if (left < parser.rules.size()) {
    parser.fail(Code::GrammarUnsupported, "the rule " + parser.rules[left].name + " begins with itself",
                "let it begin with what is repeated: list ::= item (\",\" item)*", parser.rules[left].line);
    return std::nullopt;
  }
  return RuleLinker(parser).link(root);
}

} // namespace sinter::grammar
