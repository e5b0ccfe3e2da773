// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tokenizer as constants. `sinter tokenizer` prints one Tables for a file; tokenizer_encode.h and tokenizer_decode.h
// read it. Nothing here is made at run time, so a program starts as quickly as without a tokenizer.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter::generation {

constexpr uint32_t noToken = 0xffffffffu;

/// A double array over bytes. Node i is nodes[2 i] (where its children begin) and nodes[2 i + 1] (its parent); the
/// child by byte b of a node is at its beginning + b + 1, and at its beginning + 0 is the value of the word that ends
/// there. All that may be looked at lies within the array.
struct Trie {
  const uint32_t *nodes;
};

/// A number for each code point, 0 for most, in two stages: blocks[index[c / 128]] has 128 of them.
struct CodePointMap {
  const uint16_t *index;  ///< 0x110000 / 128
  const uint16_t *blocks; ///< 128 each
};

/// Code points become sequences of code points: the map's number n > 0 means sequences[starts[n - 1] .. starts[n]).
struct Mapping {
  CodePointMap map;
  const uint32_t *starts;
  const uint32_t *sequences;
};

/// A regular expression, compiled: regex_dfa.h.
struct Regex {
  const uint16_t *next;
};

/// What a tokenizer does to text, step by step; the meaning of a and b is the kind's.
enum class StepKind : uint32_t {
  // Normalizers: text to text.
  Map,         ///< mappings[a]
  Ideographs,  ///< a blank on each side of what has the property Ideograph
  Canonical,   ///< mappings[a] (decompose), then sort marks; b: and compose
  Replace,     ///< what regexes[a] finds by strings[b]
  Prepend,     ///< strings[a], unless there is no text; b: only at the text's front, not behind added tokens
  StripLeft,   ///< white space
  StripRight,  ///< white space
  Precompiled, ///< SentencePiece's map, tries[a] to strings, by grapheme clusters
  PieceText,   ///< all that SentencePiece does: tries[a] to strings by the longest match, b is PieceTextFlag
  // Pre-tokenizers: pieces to pieces.
  Split,        ///< at what regexes[a] finds, b is SplitBehavior, and 8 more: what it does not find
  PrefixBlank,  ///< a piece without a blank in front gets strings[a]
  Substitute,   ///< code point a becomes strings[b]
  PrefixAlways, ///< a piece that does not begin with strings[a] gets it
  PrefixFirst,  ///< the same for the text's first piece alone
};
struct Step {
  StepKind kind;
  uint32_t a, b;
  uint32_t growth; ///< bytes that it makes of one, at most
};
/// How a stretch of text between added tokens begins.
enum StretchBegin : uint32_t { BeginsText = 1, BeginsWithBlank = 2 };
/// Behind these two bits StretchBegin, where no blanks are dropped from the front.
enum PieceTextFlag : uint32_t { DropsBlanks = 1, AddsBlank = 2 };
constexpr uint32_t keepsBlanksShift = 2;
enum SplitBehavior : uint32_t { Isolated, Removed, Contiguous, MergedWithPrevious, MergedWithNext };

struct Merge {
  uint32_t left, right; ///< tokens
  uint32_t rank;        ///< lowest first
  uint32_t token;       ///< what they become
};

enum class ModelKind : uint32_t { Bpe, Unigram, WordPiece, WordLevel };

enum TokenFlag : uint8_t {
  SpecialToken = 1,
  ByteToken = 2,  ///< its text is one byte, of a character that the vocabulary does not have
  KeepsFirst = 4, ///< it has no text as the first of one: the token behind it is the first, too
  NoToken = 8,    ///< the vocabulary has no token of this id: it is decoded to nothing
};

struct AddedToken {
  uint32_t id;
  uint32_t flags;
};
enum AddedFlag : uint32_t {
  StripsLeft = 1,
  StripsRight = 2,
  SingleWord = 4,
  IsSpecial = 8,
  DropsBlank = 16, ///< a text's first token is left out if it is frontBlank and this one follows
};

struct Tables {
  // Text
  CodePointMap classes; ///< of characters, as all regexes know them
  uint32_t classCount;  ///< with that of the text's end, which is the last
  const Regex *regexes;
  const Mapping *mappings;
  const Trie *tries;
  const uint32_t *stringStarts; ///< strings[i] is stringBytes[stringStarts[i] .. stringStarts[i + 1])
  const uint8_t *stringBytes;
  CodePointMap properties;      ///< bits: enum CharacterProperty
  CodePointMap orders;          ///< canonical combining classes
  const uint32_t *compositions; ///< first, second, composed; sorted
  uint32_t compositionCount;
  const Step *normalizers;
  uint32_t normalizerCount;
  const Step *splits;
  uint32_t splitCount;
  // Added tokens, as they are in the raw text and in normalized text: numbers of addedTokens
  Trie addedRaw, addedNormalized;
  bool hasAddedRaw, hasAddedNormalized;
  const AddedToken *addedTokens;
  // The model
  ModelKind model;
  bool isBytes;      ///< its characters are bytes
  bool fusesUnknown; ///< several unknown characters are one token
  bool sumsFloats;   ///< Unigram as SentencePiece has it, in float
  Trie vocabulary;   ///< Bpe: pieces that are a token at once. Others: all tokens; WordPiece: behind a byte, 0 at a
                     ///< word's start, else 1
  Trie characters;   ///< Bpe: where the first tokens are, behind a byte 0 to 3: 1 unless first in the piece, 2 if last
  bool hasVocabulary, hasAffixes;
  const uint32_t *byteTokens;       ///< 256, noToken where there is none; null without byte_fallback
  uint32_t laterPrefix, lastSuffix; ///< strings: of a piece's characters but the first, and of its last; hasAffixes
  uint32_t unknown;
  uint32_t vocabularySize; ///< tokens from here on are characters that are none, on the way to those that are
  const Merge *merges;     ///< a perfect hash: tokenizer_bpe.h
  const uint32_t *mergeSeeds;
  uint32_t mergeCount, mergeBuckets, mergeSalt;
  const double *scores; ///< Unigram
  double unknownScore;
  uint32_t longestWord; ///< WordPiece, in characters
  double leadScore;     ///< Unigram: with which a stretch's sums begin, as sums of floats differ by it in how they tie
  uint32_t leadAt;      ///< of stretches that begin so
  const uint32_t *pieceIds; ///< ids by the numbers that the model has for its tokens; null where these are the ids
  Trie unknownWords;        ///< to ids, of what the model does not know all characters of
  Trie languageCodes;       ///< ">>fra<<" to its id
  bool hasUnknownWords, hasLanguageCodes;
  // Around it
  const uint32_t *prefix;
  uint32_t prefixCount;
  const uint32_t *suffix;
  uint32_t suffixCount;
  uint32_t frontBlank; ///< the token of the blank in front of a text
  bool putsFrontBlank; ///< also where the text begins with an added token
  bool endsOnce;       ///< no suffix where the text's last token is that already
  // Decoding: token i is tokenBytes[tokenStarts[i] .. tokenStarts[i + 1])
  const uint32_t *tokenStarts, *firstStarts; ///< firstStarts: as the first of a text, null where that is the same
  const uint8_t *tokenBytes, *firstBytes;
  const uint8_t *tokenFlags;
  uint32_t tokenCount;
  uint8_t strippedByte; ///< that many of it go from the text's front
  uint32_t strippedCount;
  bool replacesBytes;      ///< where bytes are no text, each becomes U+FFFD, not those together that are cut off
  bool decodesGroups;      ///< tokens of bytes become U+FFFD each unless all in a row are text
  uint32_t scratchPerByte; ///< what encoding needs for each byte of text, at most
};

/// What tokenizers ask of characters besides regexes.
enum CharacterProperty : uint16_t {
  WhiteSpace = 1,
  WordCharacter = 2,
  ClusterExtend = 4, ///< stays with what is in front of it
  ClusterPrepend = 8,
  ClusterControl = 16,
  Ideograph = 32,
};

inline uint32_t mapped(const CodePointMap &map, uint32_t codePoint) {
  return map.blocks[size_t(map.index[codePoint >> 7]) * 128 + (codePoint & 127)];
}

/// From a node of a trie by one byte on; false where no word goes on so.
inline bool walk(const Trie &trie, uint32_t &node, uint8_t byte) {
  uint32_t child = trie.nodes[2 * size_t(node)] + byte + 1;
  if (trie.nodes[2 * size_t(child) + 1] != node)
    return false;
  node = child;
  return true;
}
/// The value of the word that ends at a node, noToken where none does.
inline uint32_t valueAt(const Trie &trie, uint32_t node) {
  uint32_t child = trie.nodes[2 * size_t(node)];
  return trie.nodes[2 * size_t(child) + 1] == node ? trie.nodes[2 * size_t(child)] : noToken;
}
inline uint32_t find(const Trie &trie, const uint8_t *text, size_t size, uint32_t node = 0) {
  for (size_t i = 0; i < size; ++i)
    if (!walk(trie, node, text[i]))
      return noToken;
  return valueAt(trie, node);
}

/// Text that somebody else owns.
struct Text {
  const uint8_t *bytes;
  size_t size;
};
inline Text stringOf(const Tables &tables, uint32_t i) {
  return {tables.stringBytes + tables.stringStarts[i], size_t(tables.stringStarts[i + 1] - tables.stringStarts[i])};
}
inline bool beginsWith(Text text, Text other) {
  if (text.size < other.size)
    return false;
  for (size_t i = 0; i < other.size; ++i)
    if (text.bytes[i] != other.bytes[i])
      return false;
  return true;
}

} // namespace sinter::generation
