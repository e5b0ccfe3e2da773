// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizers: most are one map from characters to characters.
#include "tokenizer/read_parts.h"

#include "llvm/Support/Base64.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
Sequences mapOf(const CodePointSet &set, const std::vector<uint32_t> &to) {
  Sequences map;
  for (auto [first, last] : set.ranges())
    for (uint32_t c = first; c <= last; ++c)
      map[c] = to;
  return map;
}

/// Controls go, all white space is a blank.
Sequences cleanedText() {
  CodePointSet gone({0, 0});
  gone.add({0xfffd, 0xfffd});
  for (StringRef category : {"Cc", "Cf", "Co"})
    gone.add(unicodeCategory(category));
  Sequences map = mapOf(gone, {});
  for (const auto &[c, to] : mapOf(whiteSpace(), {' '}))
    map.insert({c, to}); // what is a control too has gone
  for (uint32_t c : {'\t', '\n', '\r'})
    map[c] = {' '};
  map.erase(' ');
  return map;
}

bool readBert(const JsonPart &part, Tokenizer &to) {
  bool lowers = part.flag("lowercase", true);
  if (part.flag("clean_text", true))
    addMapStep(to, cleanedText());
  if (part.flag("handle_chinese_chars", true))
    to.normalizers.push_back({StepKind::Ideographs, 0, 0, 0});
  if (part.flag("strip_accents", lowers)) {
    addNormalForm(to, false, false);
    addMapStep(to, mapOf(unicodeCategory("Mn"), {}));
  }
  if (lowers)
    addMapStep(to, unicodeMap("lower"));
  return true;
}

bool readReplace(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  std::optional<RegexNode> pattern = readPattern(part, trouble);
  if (!pattern)
    return false;
  uint32_t with = to.addString(part.text("content"));
  to.normalizers.push_back({StepKind::Replace, to.addRegex(std::move(*pattern)), with, 0});
  return true;
}

bool readPrecompiled(const JsonPart &part, Tokenizer &to, Trouble &trouble) {
  std::vector<char> bytes;
  if (Error problem = decodeBase64(part.text("precompiled_charsmap"), bytes)) {
    consumeError(std::move(problem));
    return trouble.invalid("precompiled_charsmap is no base64");
  }
  TrieWords words;
  if (!readCharsmap({bytes.data(), bytes.size()}, to, words, trouble))
    return false;
  to.tries.push_back(std::move(words));
  to.normalizers.push_back({StepKind::Precompiled, static_cast<uint32_t>(to.tries.size() - 1), 0, 0});
  return true;
}
} // namespace

void addMapStep(Tokenizer &to, Sequences mapping) {
  to.normalizers.push_back({StepKind::Map, to.addMapping(std::move(mapping)), 0, 0});
}

void addNormalForm(Tokenizer &to, bool isCompatible, bool composes) {
  Sequences map = unicodeMap("canonical");
  if (isCompatible)
    for (const auto &[c, sequence] : unicodeMap("compatible"))
      map[c] = sequence;
  to.normalizers.push_back({StepKind::Canonical, to.addMapping(std::move(map)), composes, 0});
}

bool hasRoomForStep(const Tokenizer &to, Trouble &trouble) {
  constexpr size_t mostParts = 2 * mostRegexParts;
  if (to.parts > mostParts)
    return trouble.tooLarge("the regular expressions have more than " + Twine(mostParts) + " parts");
  return to.normalizers.size() + to.splits.size() < mostTextSteps ||
         trouble.tooLarge("more than " + Twine(mostTextSteps) + " steps of normalizers and pre-tokenizers");
}

bool readNormalizer(const json::Object &json, Tokenizer &to, Trouble &trouble) {
  JsonPart part(json, "the normalizer", trouble);
  StringRef type = part.type();
  if (!hasRoomForStep(to, trouble))
    return false;
  if (type == "Sequence") {
    for (const json::Object *child : part.objects("normalizers"))
      if (!readNormalizer(*child, to, trouble))
        return false;
    return true;
  }
  if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD")
    addNormalForm(to, type[2] == 'K', type.back() == 'C');
  else if (type == "Lowercase")
    addMapStep(to, unicodeMap("lower"));
  else if (type == "StripAccents")
    addMapStep(to, mapOf(unicodeCategory("M"), {}));
  else if (type == "BertNormalizer")
    return readBert(part, to);
  else if (type == "Replace")
    return readReplace(part, to, trouble);
  else if (type == "Precompiled")
    return readPrecompiled(part, to, trouble);
  else if (type == "Prepend")
    to.normalizers.push_back({StepKind::Prepend, to.addString(part.text("prepend")), 0, 0});
  else if (type == "Strip") {
    if (part.flag("strip_left", true))
      to.normalizers.push_back({StepKind::StripLeft, 0, 0, 0});
    if (part.flag("strip_right", true))
      to.normalizers.push_back({StepKind::StripRight, 0, 0, 0});
  } else
    return trouble.unsupported("the normalizer '" + type + "'");
  return true;
}

} // namespace sinter::tokenizer
