// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decoders. What they make of a token depends on nothing but whether it is the first one, so it is written down for
// each. The exceptions are what stands behind Fuse, and bytes that become characters together.
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/compile.h"
#include "tokenizer/read_parts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
/// What becomes too long for a token ends there, longer than it may be.
std::string replaced(StringRef text, StringRef what, StringRef with) {
  std::string result;
  for (;;) {
    if (result.size() > longestText)
      return result;
    auto [before, after] = text.split(what);
    result += before;
    if (before.size() == text.size())
      return result;
    result += with;
    text = after;
  }
}

/// What WordPiece's decoder does to blanks in front of punctuation.
std::string cleaned(std::string text) {
  static constexpr std::pair<StringLiteral, StringLiteral> rules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto &[what, with] : rules)
    text = replaced(text, what, with);
  return text;
}

class DecoderReader {
public:
  DecoderReader(Tokenizer &to, Trouble &trouble) : to(to), trouble(trouble) {
    for (const std::optional<std::string> &word : to.words)
      to.texts.push_back({word.value_or(""), word.value_or(""), 0});
  }

  bool read(const json::Object &json) {
    JsonPart part(json, "the decoder", trouble);
    StringRef type = part.type();
    if (type == "Sequence") {
      for (const json::Object *child : part.objects("decoders"))
        if (!read(*child))
          return false;
      return true;
    }
    if (type == "Strip")
      return strip(part);
    if (type == "Fuse") {
      isFused = true;
      return true;
    }
    if (isFused || to.decodesGroups)
      return trouble.unsupported("a decoder '" + type + "' behind tokens that were put together");
    if (type == "ByteLevel")
      return byteLevel();
    if (type == "ByteFallback")
      byteFallback();
    else if (type == "Metaspace")
      return metaspace(part);
    else if (type == "WordPiece")
      return wordPiece(part);
    else if (type == "Replace")
      return replace(part);
    else
      return trouble.unsupported("the decoder '" + type + "'");
    return true;
  }

  void join() {
    for (TokenText &token : to.texts)
      token.rest = " " + token.rest;
  }

private:
  /// Texts may grow in each step: their sizes are bounded as they are made.
  template <class Change>
  bool change(const Change &change) {
    uint64_t bytes = 0;
    if (++changes > mostTextSteps)
      return trouble.tooLarge("more than " + Twine(mostTextSteps) + " decoders");
    for (TokenText &token : to.texts) {
      token.first = change(StringRef(token.first), true);
      token.rest = change(StringRef(token.rest), false);
      bytes += token.first.size() + token.rest.size();
      if (std::max(token.first.size(), token.rest.size()) > longestText || bytes > mostTextBytes)
        return trouble.tooLarge("decoding makes too much text of a token");
    }
    return true;
  }
  bool byteLevel() {
    isFused = true;
    return change([](StringRef text, bool) { return bytesOfAlphabet(text).value_or(text.str()); });
  }
  void byteFallback() {
    to.decodesGroups = true;
    for (TokenText &token : to.texts)
      if (std::optional<uint8_t> byte = byteOfTokenName(token.rest)) {
        token.first = token.rest = std::string(1, static_cast<char>(*byte));
        token.flags |= generation::ByteToken;
      }
  }
  bool metaspace(const JsonPart &part) {
    StringRef replacement = part.text("replacement", "▁");
    bool dropsFirst = part.text("prepend_scheme", part.flag("add_prefix_space", true) ? "always" : "never") != "never";
    if (replacement.empty())
      return trouble.invalid(part.called() + ": no replacement");
    return change(
        [&](StringRef text, bool isFirst) { return replaced(text, replacement, isFirst && dropsFirst ? "" : " "); });
  }
  bool wordPiece(const JsonPart &part) {
    StringRef prefix = part.text("prefix", "##");
    bool cleans = part.flag("cleanup", true);
    return change([&](StringRef text, bool isFirst) {
      std::string result = text.str();
      if (!isFirst)
        result = text.consume_front(prefix) ? text.str() : " " + result;
      return cleans ? cleaned(result) : result;
    });
  }
  bool replace(const JsonPart &part) {
    const json::Value *pattern = part.member("pattern");
    const json::Object *object = pattern ? pattern->getAsObject() : nullptr;
    std::optional<StringRef> literal = object ? object->getString("String") : std::nullopt;
    if (!literal || literal->empty())
      return trouble.unsupported(part.called() + " with a pattern that is no text");
    StringRef with = part.text("content");
    return with.size() <= longestToken
               ? change([&](StringRef text, bool) { return replaced(text, *literal, with); })
               : trouble.tooLarge(part.called() + ": a text of " + Twine(with.size()) + " bytes");
  }
  /// Of each token, or of the text that Fuse makes.
  bool strip(const JsonPart &part) {
    StringRef content = part.text("content");
    int64_t start = part.number("start", 0), stop = part.number("stop", 0);
    if (content.size() != 1 || content[0] < 0 || start < 0 || stop < 0 || start > longestToken)
      return trouble.unsupported(part.called() + " of something else than a few characters of ASCII");
    if (isFused) {
      if (stop || to.strippedCount)
        return trouble.unsupported(part.called() + " at a text's end");
      to.strippedByte = content[0];
      to.strippedCount = static_cast<uint32_t>(start);
      return true;
    }
    if (to.decodesGroups)
      return trouble.unsupported("a decoder 'Strip' behind tokens that were put together");
    return change([&](StringRef text, bool) {
      for (int64_t i = 0; i < start && text.consume_front(content); ++i) {
      }
      for (int64_t i = 0; i < stop && text.consume_back(content); ++i) {
      }
      return text.str();
    });
  }

  Tokenizer &to;
  Trouble &trouble;
  unsigned changes = 0;
  bool isFused = false;
};

/// What is left out with the special tokens is what reads as one of them, before the decoder: a special token that the
/// normalizers change does not.
void markSpecialTexts(Tokenizer &to) {
  StringSet<> specials;
  for (const AddedWord &word : to.added)
    if (word.flags & generation::IsSpecial)
      specials.insert(word.text);
  for (const AddedWord &word : to.added)
    if (specials.contains(to.texts[word.id].rest))
      to.texts[word.id].flags |= generation::SpecialToken;
}
} // namespace

bool readDecoder(const json::Object *json, Tokenizer &to, Trouble &trouble) {
  DecoderReader reader(to, trouble);
  // Added tokens that are looked for in normalized text are decoded as that, too.
  bool hasNormalized = any_of(to.added, [](const AddedWord &word) { return word.isNormalized; });
  if (hasNormalized && !to.normalizers.empty()) {
    std::optional<CompiledTokenizer> normalizers = compileNormalizers(to, trouble);
    if (!normalizers)
      return false;
    WordNormalizer normalizer(*normalizers, trouble);
    for (const AddedWord &word : to.added)
      if (word.isNormalized) {
        std::optional<std::string> text = normalizer.normalize(word.text);
        if (!text)
          return false;
        to.texts[word.id].first = to.texts[word.id].rest = *text;
      }
  }
  markSpecialTexts(to);
  if (!json)
    reader.join();
  else if (!reader.read(*json))
    return false;
  return true;
}

} // namespace sinter::tokenizer
