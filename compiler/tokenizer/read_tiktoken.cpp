// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/read_tiktoken.h"

#include "tokenizer/read_parts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
struct NamedPattern {
  StringLiteral name, regex, specials;
};
constexpr NamedPattern namedPatterns[] = {
#define SINTER_TIKTOKEN(name, regex, specials) {name, regex, specials},
#include "tokenizer/tiktoken_patterns.def"
#undef SINTER_TIKTOKEN
};

std::optional<std::pair<std::string, uint32_t>> rankLine(StringRef line) {
  auto [base64, number] = line.rtrim('\r').split(' ');
  std::vector<char> bytes;
  uint32_t rank;
  if (base64.empty() || number.getAsInteger(10, rank))
    return std::nullopt;
  if (Error problem = decodeBase64(base64, bytes)) {
    consumeError(std::move(problem));
    return std::nullopt;
  }
  return std::pair(std::string(bytes.begin(), bytes.end()), rank);
}

bool readRanks(StringRef bytes, Tokenizer &to, Trouble &trouble) {
  for (unsigned number = 1; !bytes.empty(); ++number) {
    StringRef line;
    std::tie(line, bytes) = bytes.split('\n');
    if (line.trim().empty())
      continue;
    std::optional<std::pair<std::string, uint32_t>> token = rankLine(line);
    if (!token || token->first.empty())
      return trouble.invalid("line " + Twine(number) + " is no token and its rank");
    if (!addWord(token->first, token->second, to, trouble))
      return false;
  }
  to.endModelWords();
  for (unsigned byte = 0; byte < 256; ++byte)
    if (to.idOf(std::string(1, static_cast<char>(byte))) == generation::noToken)
      return trouble.invalid("the byte " + Twine(byte) + " is no token");
  return true;
}

/// Any two tokens merge that are a token together; its rank says when.
bool makeMerges(Tokenizer &to, Trouble &trouble) {
  uint64_t work = 0;
  for (uint32_t id = 0; id < to.words.size(); ++id) {
    StringRef word = to.words[id] ? StringRef(*to.words[id]) : StringRef();
    if (!isWithinMergeWork(word, work, trouble))
      return false;
    for (size_t cut = 1; cut < word.size(); ++cut) {
      uint32_t left = to.idOf(word.take_front(cut)), right = to.idOf(word.drop_front(cut));
      if (left != generation::noToken && right != generation::noToken)
        to.merges.push_back({left, right, id, id});
    }
    if (to.merges.size() > mostMerges)
      return trouble.tooLarge("more than " + Twine(mostMerges) + " merges");
  }
  return true;
}

bool addSpecials(StringRef specials, Tokenizer &to, Trouble &trouble) {
  SmallVector<StringRef> parts;
  specials.split(parts, ' ', -1, false);
  for (StringRef part : parts) {
    auto [text, number] = part.rsplit('=');
    AddedWord word{text.str(), 0, generation::IsSpecial, false};
    if (number.getAsInteger(10, word.id) || !addWord(text, word.id, to, trouble))
      return false;
    to.added.push_back(std::move(word));
  }
  return true;
}
} // namespace

bool isTiktoken(StringRef bytes) { return rankLine(bytes.split('\n').first).has_value(); }

std::optional<Tokenizer> readTiktoken(StringRef bytes, StringRef pattern, Trouble &trouble) {
  Tokenizer to;
  StringRef specials, regex = pattern;
  for (const NamedPattern &named : namedPatterns)
    if (named.name == pattern) {
      regex = named.regex;
      specials = named.specials;
    }
  if (pattern.empty()) {
    ListSeparator comma;
    std::string names;
    for (const NamedPattern &named : namedPatterns)
      names += (StringRef(comma) + named.name).str();
    trouble.unsupported("a tiktoken file without its pattern",
                        "give one with --pattern: " + names + ", or a regular expression");
    return std::nullopt;
  }
  Expected<RegexNode> node = parseRegex(regex);
  if (!node) {
    trouble.pattern(regex, node.takeError());
    return std::nullopt;
  }
  to.givenPattern = pattern.str();
  to.splits.push_back({StepKind::Split, to.addRegex(std::move(*node)), generation::Isolated, 0});
  to.isBytes = to.takesWholeWords = true;
  if (!readRanks(bytes, to, trouble) || !makeMerges(to, trouble) || !addSpecials(specials, to, trouble))
    return std::nullopt;
  for (const std::optional<std::string> &word : to.words)
    to.texts.push_back({word.value_or(""), word.value_or(""), 0});
  for (const AddedWord &word : to.added)
    to.texts[word.id].flags |= generation::SpecialToken;
  return to;
}

} // namespace sinter::tokenizer
