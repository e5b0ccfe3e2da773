// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tokenizer as its file describes it, in the few terms that the runtime has
// (runtime-lite/generation/tokenizer_tables.h): readers make one, compile.h makes tables of it.
#pragma once

#include "runtime-lite/generation/tokenizer_tables.h"
#include "tokenizer/regex_syntax.h"
#include "tokenizer/unicode.h"

#include "llvm/ADT/StringMap.h"
#include <optional>

namespace sinter::tokenizer {

/// What bounds memory and time, whatever the file is.
constexpr uint64_t largestFile = uint64_t(256) << 20;
constexpr uint32_t mostTokens = 1u << 22, mostMerges = 1u << 22, longestToken = 1u << 16, mostTrieNodes = 1u << 24,
                   mostTextSteps = 64, mostAround = 1024, longestString = 1024, longestText = 2 * longestToken,
                   mostGrowth = 1u << 12;
constexpr uint64_t mostTextBytes = uint64_t(1) << 28; ///< of all tokens as they are decoded
constexpr uint64_t mostMergeWork = uint64_t(1) << 31; ///< bytes that are looked at where two tokens may be one together

using generation::SplitBehavior;
using generation::Step;
using generation::StepKind;
using TrieWords = std::vector<std::pair<std::string, uint32_t>>;

struct AddedWord {
  std::string text;
  uint32_t id = 0, flags = 0; ///< generation::AddedFlag
  bool isNormalized = false;
  bool isVerbatim = false; ///< `text` is as in normalized text already
};

/// How ids become text, before it is written for each token.
struct TokenText {
  std::string first, rest; ///< as a text's first token, and behind others
  uint8_t flags = 0;       ///< generation::TokenFlag
};

struct Tokenizer {
  // What steps refer to by number
  std::vector<RegexNode> regexes;
  std::string givenPattern; ///< the first of them, where a user gives it and the file has none
  size_t parts = 0;         ///< of all regexes
  std::vector<std::string> strings;
  std::vector<Sequences> mappings;
  std::vector<TrieWords> tries;
  std::vector<Step> normalizers, splits;
  bool isBytes = false;    ///< the model sees bytes
  bool isAlphabet = false; ///< its vocabulary is written in ByteLevel's alphabet

  // Vocabulary: words[id]; absent where no token has the id
  std::vector<std::optional<std::string>> words;
  llvm::StringMap<uint32_t> ids;
  std::vector<bool> inModel; ///< by id: the model knows it, not the added tokens alone
  std::vector<AddedWord> added;

  // Model
  generation::ModelKind model = generation::ModelKind::Bpe;
  std::vector<generation::Merge> merges;
  std::string laterPrefix, lastSuffix; ///< of characters within a word, and of its last
  bool fusesUnknown = false, hasByteFallback = false, takesWholeWords = false, sumsFloats = false;
  uint32_t unknown = generation::noToken;
  std::vector<double> scores;
  double unknownScore = 0;
  uint32_t longestWord = 100;
  llvm::StringMap<uint32_t> extraCharacters; ///< of SentencePiece's BPE: no tokens, but parts of some

  // Ids, where the model's numbers of its tokens are others: all else that is no part of the model has ids
  std::vector<uint32_t> pieceIds;
  TrieWords unknownWords; ///< to ids, of what the model does not know
  TrieWords languageCodes;
  bool hasLanguageCodes = false; ///< they are looked for, and unknown ones are the unknown token

  // Around a text
  std::vector<uint32_t> prefix, suffix;
  uint32_t frontBlank = generation::noToken; ///< the blank in front of a text, where added tokens change it
  bool putsFrontBlank = false;
  double leadScore = 0;  ///< of what transformers puts in front of a stretch that begins so, and takes away again
  uint32_t leadAt = 0;   ///< generation::StretchBegin
  bool endsOnce = false; ///< no suffix behind a text whose last token is that already
  uint32_t begin = generation::noToken, end = generation::noToken; ///< that the file knows but leaves to the caller
  // Decoding
  std::vector<TokenText> texts;
  char strippedByte = 0;
  uint32_t strippedCount = 0;
  bool decodesGroups = false, replacesBytes = false;

  bool isModelWord(uint32_t id) const { return id < inModel.size() && inModel[id]; }
  void endModelWords() {
    for (const std::optional<std::string> &word : words)
      inModel.push_back(word.has_value());
  }
  uint32_t addRegex(RegexNode regex) {
    parts += regexParts(regex);
    regexes.push_back(std::move(regex));
    return static_cast<uint32_t>(regexes.size() - 1);
  }
  uint32_t addString(llvm::StringRef text) {
    strings.push_back(text.str());
    return static_cast<uint32_t>(strings.size() - 1);
  }
  uint32_t addMapping(Sequences mapping) {
    mappings.push_back(std::move(mapping));
    return static_cast<uint32_t>(mappings.size() - 1);
  }
  uint32_t idOf(llvm::StringRef word) const {
    auto found = ids.find(word);
    return found == ids.end() ? generation::noToken : found->second;
  }
};

/// "<0x0A>": the token of a byte that no other token has.
std::string byteTokenName(unsigned byte);
/// The byte of such a name.
std::optional<uint8_t> byteOfTokenName(llvm::StringRef name);

} // namespace sinter::tokenizer
