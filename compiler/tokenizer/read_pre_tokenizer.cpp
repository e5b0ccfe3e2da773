// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pre-tokenizers: nearly all cut at what a regular expression finds.
#include "tokenizer/read_parts.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
constexpr StringLiteral gpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr uint32_t inverted = 8;

void addSplit(Tokenizer &to, RegexNode pattern, uint32_t behavior) {
  to.splits.push_back({StepKind::Split, to.addRegex(std::move(pattern)), behavior, 0});
}

RegexNode runOf(CodePointSet set) {
  RegexNode node;
  node.kind = RegexNode::Repeat;
  node.least = 1;
  node.most = UINT32_MAX;
  node.children.push_back(setRegex(std::move(set)));
  return node;
}
/// \w+|[^\w\s]+ with the \w of Rust's regular expressions, not with that of Oniguruma.
RegexNode wordsOrSigns() {
  CodePointSet others = wordCharacters();
  others.add(whiteSpace());
  RegexNode node;
  node.kind = RegexNode::Choice;
  node.children = {runOf(wordCharacters()), runOf(others.complement())};
  return node;
}

bool readBehavior(const JsonPart &part, StringRef otherwise, uint32_t &behavior, Trouble &trouble) {
  StringRef name = part.text("behavior", otherwise);
  behavior = StringSwitch<uint32_t>(name)
                 .Case("Isolated", generation::Isolated)
                 .Case("Removed", generation::Removed)
                 .Case("Contiguous", generation::Contiguous)
                 .Case("MergedWithPrevious", generation::MergedWithPrevious)
                 .Case("MergedWithNext", generation::MergedWithNext)
                 .Default(inverted);
  return behavior != inverted || trouble.unsupported(part.called() + " with the behavior '" + name + "'");
}

bool readByteLevel(const JsonPart &part, Tokenizer &to) {
  if (part.flag("add_prefix_space", true))
    to.splits.push_back({StepKind::PrefixBlank, to.addString(" "), 0, 0});
  if (part.flag("use_regex", true))
    addSplit(to, cantFail(parseRegex(gpt2Pattern)), generation::Isolated);
  to.isBytes = to.isAlphabet = true;
  return true;
}

bool readMetaspace(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  StringRef replacement = part.text("replacement", "▁");
  if (codePointsOf(replacement).size() != 1)
    return trouble.invalid(part.called() + ": the replacement is not one character");
  StringRef scheme = part.text("prepend_scheme", part.flag("add_prefix_space", true) ? "always" : "never");
  uint32_t string = to.addString(replacement);
  to.splits.push_back({StepKind::Substitute, ' ', string, 0});
  if (scheme == "always")
    to.splits.push_back({StepKind::PrefixAlways, string, 0, 0});
  else if (scheme == "first")
    to.splits.push_back({StepKind::PrefixFirst, string, 0, 0});
  else if (scheme != "never")
    return trouble.unsupported(part.called() + " with the prepend_scheme '" + scheme + "'");
  if (part.flag("split", true))
    addSplit(to, literalRegex(replacement), generation::MergedWithNext);
  return true;
}
} // namespace

static std::optional<RegexNode> literalPattern(const JsonPart &part, StringRef text, Trouble &trouble) {
  if (text.size() <= mostRegexParts)
    return literalRegex(text);
  trouble.tooLarge(part.called() + ": a text of " + Twine(text.size()) + " bytes to look for");
  return std::nullopt;
}

std::optional<RegexNode> readPattern(const JsonPart &part, Trouble &trouble) {
  const json::Value *value = part.member("pattern");
  const json::Object *object = value ? value->getAsObject() : nullptr;
  std::optional<StringRef> literal = object ? object->getString("String") : std::nullopt;
  std::optional<StringRef> regex = object ? object->getString("Regex") : std::nullopt;
  if (literal && !literal->empty())
    return literalPattern(part, *literal, trouble);
  if (!regex || regex->empty()) {
    trouble.invalid(part.called() + ": no pattern");
    return std::nullopt;
  }
  Expected<RegexNode> node = parseRegex(*regex);
  if (node)
    return std::move(*node);
  trouble.pattern(*regex, node.takeError());
  return std::nullopt;
}

bool readPreTokenizer(const json::Object &json, Tokenizer &to, Trouble &trouble) {
  JsonPart part(json, "the pre-tokenizer", trouble);
  StringRef type = part.type();
  uint32_t behavior = 0;
  if (!hasRoomForStep(to, trouble))
    return false;
  if (type == "Sequence") {
    for (const json::Object *child : part.objects("pretokenizers"))
      if (!readPreTokenizer(*child, to, trouble))
        return false;
    return true;
  }
  if (to.isBytes)
    return trouble.unsupported("a pre-tokenizer behind ByteLevel, '" + type + "'");
  if (type == "ByteLevel")
    return readByteLevel(part, to);
  if (type == "Metaspace")
    return readMetaspace(part, to, trouble);
  if (type == "Split") {
    std::optional<RegexNode> pattern = readPattern(part, trouble);
    if (!pattern || !readBehavior(part, "", behavior, trouble))
      return false;
    addSplit(to, std::move(*pattern), behavior | (part.flag("invert") ? inverted : 0));
  } else if (type == "Digits") {
    addSplit(to, setRegex(unicodeCategory("N")),
             part.flag("individual_digits") ? generation::Isolated : generation::Contiguous);
  } else if (type == "Punctuation") {
    if (!readBehavior(part, "Isolated", behavior, trouble))
      return false;
    addSplit(to, setRegex(punctuation()), behavior);
  } else if (type == "Whitespace") {
    addSplit(to, wordsOrSigns(), generation::Removed | inverted);
  } else if (type == "WhitespaceSplit") {
    addSplit(to, setRegex(whiteSpace()), generation::Removed);
  } else if (type == "BertPreTokenizer") {
    addSplit(to, setRegex(whiteSpace()), generation::Removed);
    addSplit(to, setRegex(punctuation()), generation::Isolated);
  } else if (type == "CharDelimiterSplit") {
    if (part.text("delimiter").empty())
      return trouble.invalid(part.called() + ": no delimiter");
    std::optional<RegexNode> delimiter = literalPattern(part, part.text("delimiter"), trouble);
    if (!delimiter)
      return false;
    addSplit(to, std::move(*delimiter), generation::Removed);
  } else {
    return trouble.unsupported("the pre-tokenizer '" + type + "'");
  }
  return true;
}

} // namespace sinter::tokenizer
