// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/regex_syntax.h"

#include "tokenizer/regex_class.h"
#include "tokenizer/unicode.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr unsigned deepestGroup = 50;
constexpr uint32_t mostRepeats = 1000;
constexpr unsigned mostSigns = 8; // of repetition behind one part
constexpr uint32_t unbounded = UINT32_MAX;

RegexNode nodeOf(RegexNode::Kind kind) {
  RegexNode node;
  node.kind = kind;
  return node;
}

class PatternParser {
public:
  explicit PatternParser(StringRef pattern) : text(codePointsOf(pattern)) {}

  Expected<RegexNode> whole() {
    Expected<RegexNode> node = choice(0);
    if (node && at < text.size())
      return error("a ) without its (");
    return node;
  }

private:
  template <class... Parts>
  Error error(const Parts &...parts) {
    return createStringError((Twine(parts) + ... + (" at character " + Twine(at))).str());
  }
  bool next(StringRef expected) {
    std::vector<uint32_t> points = codePointsOf(expected);
    if (text.size() - at < points.size() || !std::equal(points.begin(), points.end(), text.begin() + at))
      return false;
    at += points.size();
    return true;
  }
  bool sees(uint32_t c) const { return at < text.size() && text[at] == c; }

  Expected<RegexNode> choice(unsigned depth) {
    if (depth > deepestGroup)
      return error("groups are nested deeper than ", deepestGroup);
    RegexNode result = nodeOf(RegexNode::Choice);
    bool outer = ignoresCase;
    do {
      Expected<RegexNode> part = sequence(depth);
      if (!part)
        return part.takeError();
      result.children.push_back(std::move(*part));
    } while (next("|"));
    ignoresCase = outer;
    return result.children.size() == 1 ? std::move(result.children[0]) : std::move(result);
  }

  Expected<RegexNode> sequence(unsigned depth) {
    RegexNode result = nodeOf(RegexNode::Sequence);
    while (at < text.size() && !sees('|') && !sees(')')) {
      Expected<RegexNode> part = atom(depth);
      if (!part)
        return part.takeError();
      if (Error problem = repeats(*part))
        return std::move(problem);
      if (++parts > mostRegexParts)
        return error("more than ", mostRegexParts, " parts");
      result.children.push_back(std::move(*part));
    }
    return result;
  }

  /// What stands behind an atom: ?, *, +, {n}, {n,}, {n,m}, and how much it likes to take.
  Error repeats(RegexNode &node) {
    for (unsigned signs = 0;; ++signs) {
      uint32_t least, most;
      bool isBraces = false;
      if (next("?"))
        least = 0, most = 1;
      else if (next("*"))
        least = 0, most = unbounded;
      else if (next("+"))
        least = 1, most = unbounded;
      else if (sees('{') && braces(least, most))
        isBraces = true;
      else
        return Error::success();
      if (signs == mostSigns)
        return error("more than ", mostSigns, " repetitions of each other");
      if (least > mostRepeats || (most != unbounded && most > mostRepeats))
        return error("more than ", mostRepeats, " repetitions");
      if (node.kind == RegexNode::LookAhead || most < least)
        return error("a repetition of nothing");
      RegexNode repeat = nodeOf(RegexNode::Repeat);
      repeat.least = least;
      repeat.most = most;
      if (next("?"))
        repeat.taste = RegexNode::Lazy;
      else if (!isBraces && next("+")) // behind braces it is another repetition
        repeat.taste = RegexNode::Possessive;
      if (repeat.taste == RegexNode::Possessive && node.kind != RegexNode::Characters)
        return error("a possessive repetition of more than one character");
      repeat.children.push_back(std::move(node));
      node = std::move(repeat);
    }
  }
  bool braces(uint32_t &least, uint32_t &most) {
    size_t from = at++;
    auto number = [&](uint32_t &value) {
      size_t start = at;
      value = 0;
      for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        value = std::min<uint32_t>(value * 10 + (text[at] - '0'), 1000000);
      return at > start;
    };
    bool hasLeast = number(least), isGood = hasLeast;
    most = least;
    if (next(",")) {
      bool hasMost = number(most);
      if (!hasMost)
        most = unbounded;
      isGood = hasLeast || hasMost;
    }
    if (isGood && next("}"))
      return true;
    at = from;
    return false;
  }

  Expected<RegexNode> atom(unsigned depth) {
    if (next("("))
      return group(depth);
    if (next("$")) { // in front of each line's end
      RegexNode node = nodeOf(RegexNode::LookAhead);
      node.set = {'\n', '\n'};
      node.atEnd = true;
      return node;
    }
    if (next("\\z")) {
      RegexNode node = nodeOf(RegexNode::LookAhead);
      node.atEnd = true;
      return node;
    }
    if (sees('^') || sees('*') || sees('+') || sees('?'))
      return error("'", StringRef(utf8Of(text[at])), "' is not supported here");
    const bool ignores = ignoresCase && !seesNamedSet();
    Expected<CodePointSet> set = parseCharacters(text, at);
    if (!set)
      return set.takeError();
    return setRegex(ignores ? withoutCase(*set) : std::move(*set));
  }

  /// \p{Lu} and the like, which have their case in Oniguruma unless they are in brackets.
  bool seesNamedSet() const {
    return sees('\\') && at + 1 < text.size() && text[at + 1] < 0x80 &&
           StringRef("dDsSwWpP").contains(static_cast<char>(text[at + 1]));
  }

  Expected<RegexNode> group(unsigned depth) {
    bool outer = ignoresCase;
    if (next("?=") || next("?!"))
      return lookAhead(depth, text[at - 1] == '!');
    if (next("?:")) {
    } else if (next("?i:") || next("?-i:")) {
      ignoresCase = text[at - 2] == 'i' && text[at - 3] != '-';
    } else if (next("?i)") || next("?-i)")) {
      ignoresCase = text[at - 3] != '-'; // until the group around it ends
      return nodeOf(RegexNode::Sequence);
    } else if (sees('?')) {
      return error("a group (?", at + 1 < text.size() ? StringRef(utf8Of(text[at + 1])) : StringRef(),
                   " is not supported");
    }
    Expected<RegexNode> inside = choice(depth + 1);
    if (!inside)
      return inside;
    if (!next(")"))
      return error("a ( without its )");
    ignoresCase = outer;
    return inside;
  }

  /// Looks one character far: sets, and choices of these.
  Expected<RegexNode> lookAhead(unsigned depth, bool isNegated) {
    Expected<RegexNode> inside = choice(depth + 1);
    if (!inside)
      return inside;
    if (!next(")"))
      return error("a ( without its )");
    RegexNode node = nodeOf(RegexNode::LookAhead);
    std::vector<RegexNode> options;
    if (inside->kind == RegexNode::Choice)
      options = std::move(inside->children);
    else
      options.push_back(std::move(*inside));
    for (RegexNode &option : options) {
      RegexNode *only = &option;
      while ((only->kind == RegexNode::Sequence && only->children.size() == 1) ||
             (only->kind == RegexNode::Repeat && only->least == 1))
        only = &only->children[0]; // one or more of a character are there where one is
      if (only->kind != RegexNode::Characters && only->kind != RegexNode::LookAhead)
        return error("look-ahead of more than one character is not supported");
      node.set.add(only->set);
      node.atEnd |= only->atEnd;
    }
    if (isNegated) {
      node.set = node.set.complement();
      node.atEnd = !node.atEnd;
    }
    return node;
  }

  std::vector<uint32_t> text;
  size_t at = 0, parts = 0;
  bool ignoresCase = false;
};
} // namespace

Expected<RegexNode> parseRegex(StringRef pattern) { return PatternParser(pattern).whole(); }

size_t regexParts(const RegexNode &node) {
  size_t parts = 1;
  for (const RegexNode &child : node.children)
    parts += regexParts(child);
  return parts;
}

RegexNode setRegex(CodePointSet set) {
  RegexNode node = nodeOf(RegexNode::Characters);
  node.set = std::move(set);
  return node;
}

RegexNode literalRegex(StringRef text) {
  RegexNode node = nodeOf(RegexNode::Sequence);
  for (uint32_t c : codePointsOf(text))
    node.children.push_back(setRegex({c, c}));
  return node;
}

} // namespace sinter::tokenizer
