// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Tokenizer to the tables that the runtime reads: held here for `--encode`, printed by emit.h.
#pragma once

#include "tokenizer/tokenizer.h"
#include "tokenizer/trouble.h"

namespace sinter::tokenizer {

/// A map of code points in two stages.
struct MapArrays {
  std::vector<uint16_t> index, blocks;
};
struct MappingArrays {
  MapArrays map;
  std::vector<uint32_t> starts, sequences;
};
/// Text of many, one behind the other.
struct Strings {
  std::vector<uint32_t> starts = {0};
  std::vector<uint8_t> bytes;
  /// The number of the text.
  uint32_t add(llvm::StringRef text) {
    bytes.insert(bytes.end(), text.bytes_begin(), text.bytes_end());
    starts.push_back(static_cast<uint32_t>(bytes.size()));
    return static_cast<uint32_t>(starts.size() - 2);
  }
};

/// What Tables points to.
struct CompiledTokenizer {
  MapArrays classes, properties, orders;
  std::vector<std::vector<uint16_t>> regexes;
  std::vector<MappingArrays> mappings;
  std::vector<std::vector<uint32_t>> tries;
  Strings strings, tokens, firsts;
  std::vector<uint32_t> compositions, addedRaw, addedNormalized, vocabulary, characters, byteTokens, mergeSeeds,
      pieceIds, unknownWords, languageCodes, prefix, suffix;
  std::vector<Step> normalizers, splits;
  std::vector<generation::AddedToken> added;
  std::vector<generation::Merge> merges;
  std::vector<double> scores;
  std::vector<uint8_t> tokenFlags;
  generation::Tables numbers = {};                                 ///< what is no pointer
  uint32_t longestText = 0;                                        ///< of a token, in bytes
  uint32_t begin = generation::noToken, end = generation::noToken; ///< Tokenizer::begin, end

  /// A view; it ends with this.
  struct View {
    generation::Tables tables;
    std::vector<generation::Regex> regexes;
    std::vector<generation::Mapping> mappings;
    std::vector<generation::Trie> tries;
  };
  void view(View &view) const;
};

/// None after a message.
std::optional<CompiledTokenizer> compileTokenizer(Tokenizer from, Trouble &trouble);

/// Calls `use` with more and more memory until it says that this sufficed: its bound is that of the worst text, which
/// most are far from. False: a GiB does not suffice.
bool withScratch(const generation::Tables &tables, size_t textBytes,
                 llvm::function_ref<bool(void *memory, size_t bytes)> use);

/// What the normalizers make of added words, which are a stranger's: all together have a limit.
class WordNormalizer {
public:
  WordNormalizer(const CompiledTokenizer &tokenizer, Trouble &trouble) : trouble(trouble) { tokenizer.view(view); }
  /// None after a message.
  std::optional<std::string> normalize(llvm::StringRef word);

private:
  CompiledTokenizer::View view;
  Trouble &trouble;
  uint64_t bytes = 0;
};
/// The normalizers of a tokenizer alone. None after a message.
std::optional<CompiledTokenizer> compileNormalizers(const Tokenizer &from, Trouble &trouble);

} // namespace sinter::tokenizer
