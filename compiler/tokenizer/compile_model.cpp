// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vocabulary and merges to tries and a perfect hash.
#include "runtime-lite/generation/tokenizer_encode.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/compile_parts.h"
#include "tokenizer/double_array.h"
#include "tokenizer/merge_table.h"

using namespace llvm;

namespace sinter::tokenizer {
namespace {
/// A token as a text would have it; none if no text can, as the special ones of a ByteLevel vocabulary.
std::optional<std::string> tokenAsText(const Tokenizer &from, StringRef word) {
  return from.isAlphabet ? bytesOfAlphabet(word) : word.str();
}

bool isOneCharacter(const Tokenizer &from, StringRef text) {
  return from.isBytes ? text.size() == 1
                      : !text.empty() && generation::utf8Length(text.bytes_begin()[0]) == text.size();
}

/// The tokens that one character alone may be, by where it stands in its piece.
TrieWords characterTokens(const Tokenizer &from, bool hasAffixes) {
  TrieWords words;
  auto add = [&](StringRef word, uint32_t id) {
    for (unsigned place = 0; place < (hasAffixes ? 4 : 1); ++place) {
      StringRef rest = word;
      if ((place & 1 && !rest.consume_front(from.laterPrefix)) || (place & 2 && !rest.consume_back(from.lastSuffix)))
        continue;
      std::optional<std::string> text = tokenAsText(from, rest);
      if (text && isOneCharacter(from, *text))
        words.push_back({hasAffixes ? static_cast<char>(place) + *text : *text, id});
    }
  };
  for (uint32_t id = 0; id < from.words.size(); ++id)
    if (from.isModelWord(id))
      add(*from.words[id], id);
  for (const auto &character : from.extraCharacters)
    add(character.getKey(), character.getValue());
  return words;
}

/// Pieces that are a token at once: all tokens where the file says so, else those whose merges end with themselves,
/// which the tables that are there already tell.
TrieWords wholeWords(const Tokenizer &from, const CompiledTokenizer &to) {
  TrieWords words;
  CompiledTokenizer::View view;
  to.view(view);
  std::vector<char> memory(size_t(longestToken) * 40 + 4096);
  for (uint32_t id = 0; id < from.words.size(); ++id) {
    std::optional<std::string> text = from.isModelWord(id) ? tokenAsText(from, *from.words[id]) : std::nullopt;
    if (!text || text->empty())
      continue;
    generation::Scratch scratch(memory.data(), memory.size());
    int32_t encoded;
    generation::IdWriter out{&encoded, 1};
    generation::encodeBpe(view.tables, {reinterpret_cast<const uint8_t *>(text->data()), text->size()}, scratch, out);
    if (from.takesWholeWords || (!scratch.hasOverflowed() && out.count == 1 && static_cast<uint32_t>(encoded) == id))
      words.push_back({*text, id});
  }
  return words;
}

bool compileBpe(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  std::optional<MergeTable> table = mergeTableOf(from.merges);
  if (!table)
    return trouble.tooLarge("no table spreads these merges");
  to.merges = std::move(table->merges);
  to.mergeSeeds = std::move(table->seeds);
  to.numbers.mergeSalt = table->salt;
  to.numbers.hasAffixes = !from.laterPrefix.empty() || !from.lastSuffix.empty();
  to.numbers.laterPrefix = to.strings.add(from.laterPrefix);
  to.numbers.lastSuffix = to.strings.add(from.lastSuffix);
  if (!compileTrie(characterTokens(from, to.numbers.hasAffixes), to.characters, trouble))
    return false;
  if (to.numbers.hasAffixes && !from.takesWholeWords)
    return true;
  if (!compileTrie(wholeWords(from, to), to.vocabulary, trouble))
    return false;
  to.numbers.hasVocabulary = true;
  return true;
}

/// Words of all tokens, as pieces have them.
bool compileWords(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  bool isPieces = from.model == generation::ModelKind::WordPiece;
  TrieWords words;
  for (uint32_t id = 0; id < from.words.size(); ++id) {
    if (!from.isModelWord(id))
      continue;
    StringRef word = *from.words[id];
    std::optional<std::string> text = tokenAsText(from, word);
    if (text && !text->empty())
      words.push_back({isPieces ? std::string(1, '\0') + *text : *text, id});
    if (isPieces && word.consume_front(from.laterPrefix) && !word.empty())
      if (std::optional<std::string> later = tokenAsText(from, word))
        words.push_back({'\1' + *later, id});
  }
  to.scores = from.scores;
  to.numbers.hasVocabulary = true;
  return compileTrie(words, to.vocabulary, trouble);
}
} // namespace

bool compileTrie(const TrieWords &words, std::vector<uint32_t> &nodes, Trouble &trouble) {
  Expected<std::vector<uint32_t>> array = doubleArrayOf(words);
  if (!array)
    return trouble.tooLarge(toString(array.takeError()));
  nodes = std::move(*array);
  return true;
}

bool compileModel(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  generation::Tables &numbers = to.numbers;
  numbers.model = from.model;
  numbers.isBytes = from.isBytes;
  numbers.fusesUnknown = from.fusesUnknown;
  numbers.sumsFloats = from.sumsFloats;
  numbers.unknown = from.unknown;
  numbers.vocabularySize = static_cast<uint32_t>(from.words.size());
  numbers.unknownScore = from.unknownScore;
  numbers.longestWord = from.longestWord;
  if (from.hasByteFallback)
    for (unsigned byte = 0; byte < 256; ++byte)
      to.byteTokens.push_back(from.idOf(byteTokenName(byte)));
  numbers.hasUnknownWords = !from.unknownWords.empty();
  numbers.hasLanguageCodes = from.hasLanguageCodes;
  numbers.leadScore = from.leadScore;
  numbers.leadAt = from.leadAt;
  numbers.frontBlank = from.frontBlank;
  numbers.putsFrontBlank = from.putsFrontBlank;
  numbers.endsOnce = from.endsOnce;
  if (!compileTrie(from.unknownWords, to.unknownWords, trouble) ||
      !compileTrie(from.languageCodes, to.languageCodes, trouble))
    return false;
  if (!(from.model == generation::ModelKind::Bpe ? compileBpe(from, to, trouble) : compileWords(from, to, trouble)))
    return false;
  to.pieceIds = from.pieceIds; // the steps above look for the model's own numbers
  return true;
}

bool withScratch(const generation::Tables &tables, size_t textBytes,
                 function_ref<bool(void *memory, size_t bytes)> use) {
  constexpr size_t mostBytes = size_t(1) << 30;
  const size_t bound = std::min(generation::scratchFor(tables, textBytes), mostBytes);
  for (size_t size = textBytes * 64 + 4096;; size *= 4) {
    size = std::min(size, bound);
    std::unique_ptr<char[]> memory(new char[size]); // not cleared
    if (use(memory.get(), size))
      return true;
    if (size == bound)
      return false;
  }
}

std::optional<std::string> WordNormalizer::normalize(StringRef word) {
  std::string after;
  bool isGood = withScratch(view.tables, word.size(), [&](void *memory, size_t size) {
    generation::Scratch scratch(memory, size);
    size_t front = 0;
    generation::Text text =
        generation::normalize(view.tables, {word.bytes_begin(), word.size()}, generation::BeginsText, front, scratch);
    after.assign(text.bytes, text.bytes + text.size);
    return !scratch.hasOverflowed();
  });
  bytes += after.size();
  if (isGood && after.size() <= longestText && bytes <= mostTextBytes)
    return after;
  trouble.tooLarge("normalizing makes too much text of added tokens");
  return std::nullopt;
}

bool compileAdded(const Tokenizer &from, CompiledTokenizer &to, Trouble &trouble) {
  TrieWords raw, normalized;
  WordNormalizer normalizer(to, trouble);
  for (const AddedWord &word : from.added) {
    std::optional<std::string> text = word.text; // as it will be found
    if (word.isNormalized && !word.isVerbatim)
      text = normalizer.normalize(word.text);
    if (!text)
      return false;
    if (!text->empty())
      (word.isNormalized ? normalized : raw).push_back({*text, static_cast<uint32_t>(to.added.size())});
    to.added.push_back({word.id, word.flags});
  }
  to.numbers.hasAddedRaw = !raw.empty();
  to.numbers.hasAddedNormalized = !normalized.empty();
  return compileTrie(raw, to.addedRaw, trouble) && compileTrie(normalized, to.addedNormalized, trouble);
}

void compileTexts(const Tokenizer &from, CompiledTokenizer &to) {
  bool differs = false;
  for (const TokenText &token : from.texts) {
    to.tokens.add(token.rest);
    to.tokenFlags.push_back(token.flags);
    to.longestText =
        std::max({to.longestText, static_cast<uint32_t>(token.rest.size()), static_cast<uint32_t>(token.first.size())});
    differs |= token.first != token.rest;
  }
  if (differs)
    for (const TokenText &token : from.texts)
      to.firsts.add(token.first);
  to.numbers.strippedByte = static_cast<uint8_t>(from.strippedByte);
  to.numbers.strippedCount = from.strippedCount;
  to.numbers.replacesBytes = from.replacesBytes;
  to.numbers.decodesGroups = from.decodesGroups;
}

} // namespace sinter::tokenizer
