// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text to token ids: added tokens are taken out first, what is between them is normalized, cut into pieces, and given
// to the model.
#pragma once

#include "tokenizer_bpe.h"
#include "tokenizer_front.h"
#include "tokenizer_split.h"
#include "tokenizer_unigram.h"
#include "tokenizer_words.h"

namespace sinter::generation {

enum EncodeFlag : uint32_t {
  EncodeBare = 1,      ///< without the tokens that go around a text
  EncodePlainText = 2, ///< special tokens that the text spells are text like other text: for what a user types
};
enum EncodeError : int64_t {
  EncodeNeedsScratch = -1,
  EncodeTooLong = -2, ///< 2^28 bytes and more
};

inline void encodePiece(const Tables &tables, Text piece, double lead, Scratch &scratch, IdWriter &out) {
  switch (tables.model) {
  case ModelKind::Bpe:
    return encodeBpe(tables, piece, scratch, out);
  case ModelKind::Unigram:
    return encodeUnigram(tables, piece, lead, scratch, out);
  case ModelKind::WordPiece:
    return encodeWordPiece(tables, piece, scratch, out);
  case ModelKind::WordLevel:
    return encodeWordLevel(tables, piece, out);
  }
}

inline bool endsWithWord(const Tables &tables, Text text) {
  size_t at = text.size;
  if (at == 0)
    return false;
  do
    --at;
  while (at && (text.bytes[at] & 0xc0) == 0x80);
  return mapped(tables.properties, readCodePoint(text.bytes + at).value) & WordCharacter;
}
inline bool beginsWithWord(const Tables &tables, Text text) {
  return text.size && (mapped(tables.properties, readCodePoint(text.bytes).value) & WordCharacter);
}

/// Takes added tokens out: `takeToken` gets them, `takeText` what is between them and where that begins. Of
/// several at one place the longest is taken.
template <class TakeToken, class TakeText>
void splitAtTokens(const Tables &tables, const Trie &trie, Text text, uint32_t flags, const TakeToken &takeToken,
                   const TakeText &takeText) {
  size_t done = 0;
  for (size_t at = 0; at < text.size;) {
    uint32_t node = 0, found = noToken;
    size_t end = at;
    for (size_t i = at; i < text.size && walk(trie, node, text.bytes[i]); ++i) {
      uint32_t value = valueAt(trie, node);
      if (value != noToken) {
        found = value;
        end = i + 1;
      }
    }
    if (found == noToken) {
      ++at;
      continue;
    }
    const AddedToken &token = tables.addedTokens[found];
    size_t start = at, stop = end;
    at = end;
    Text before = {text.bytes, start}, after = {text.bytes + stop, text.size - stop};
    if ((flags & EncodePlainText) && (token.flags & IsSpecial))
      continue;
    if ((token.flags & SingleWord) && (endsWithWord(tables, before) || beginsWithWord(tables, after)))
      continue;
    if (token.flags & StripsLeft) {
      size_t stripped = stripRight(tables, before).size;
      start = stripped > done ? stripped : done;
    }
    if (token.flags & StripsRight)
      stop = text.size - stripLeft(tables, after).size;
    if (done < start)
      takeText(Text{text.bytes + done, start - done}, done);
    takeToken(token);
    done = stop;
  }
  if (done < text.size)
    takeText(Text{text.bytes + done, text.size - done}, done);
}

/// Marian's ">>fra<<" in front of a stretch is one token, that of unknown text where the vocabulary does not have it.
inline void takeLanguageCode(const Tables &tables, Text &text, IdWriter &out) {
  if (text.size < 4 || text.bytes[0] != '>' || text.bytes[1] != '>')
    return;
  for (size_t end = 4; end <= text.size; ++end)
    if (text.bytes[end - 2] == '<' && text.bytes[end - 1] == '<') {
      uint32_t id = find(tables.languageCodes, text.bytes, end);
      if (id != noToken)
        out.put(id);
      else
        out.putPiece(tables.unknown);
      text = {text.bytes + end, text.size - end};
      return;
    }
}

/// A stretch of raw text without raw added tokens.
inline void encodeStretch(const Tables &tables, Text text, bool isFirst, uint32_t flags, Scratch &scratch,
                          IdWriter &out) {
  if (tables.hasLanguageCodes)
    takeLanguageCode(tables, text, out);
  size_t mark = scratch.mark();
  const uint32_t begin = beginOf(text, isFirst);
  const double lead = begin & tables.leadAt ? tables.leadScore : 0;
  size_t front = isFirst && text.size && asksForFront(tables) ? utf8Length(text.bytes[0]) : 0;
  text = normalize(tables, text, begin, front, scratch);
  auto takeText = [&](Text part, size_t at) {
    splitPiece(tables, 0, Piece{part, front > at ? front - at : 0}, scratch,
               [&](Text piece) { encodePiece(tables, piece, at == 0 ? lead : 0, scratch, out); });
  };
  if (tables.hasAddedNormalized)
    splitAtTokens(
        tables, tables.addedNormalized, text, flags, [&](const AddedToken &token) { out.put(token.id); }, takeText);
  else if (text.size)
    takeText(text, 0);
  scratch.release(mark);
}

/// How much scratch suffices for any text of that many bytes.
inline size_t scratchFor(const Tables &tables, size_t bytes) { return bytes * tables.scratchPerByte + 4096; }

/// How many ids the text has; those that fit are written. Negative: EncodeError.
inline int64_t encode(const Tables &tables, const char *text, size_t bytes, int32_t *ids, size_t capacity,
                      uint32_t flags, void *memory, size_t memoryBytes) {
  if (bytes >= size_t(1) << 28)
    return EncodeTooLong;
  Scratch scratch(memory, memoryBytes);
  IdWriter out{ids, capacity, tables.pieceIds};
  Text whole = {reinterpret_cast<const uint8_t *>(text), bytes};
  if (validUtf8(whole.bytes, bytes) != bytes) {
    auto *repaired = scratch.take<uint8_t>(3 * bytes);
    if (!repaired)
      return EncodeNeedsScratch;
    whole = {repaired, replaceInvalidUtf8(whole.bytes, bytes, repaired)};
  }
  if (!(flags & EncodeBare))
    for (uint32_t i = 0; i < tables.prefixCount; ++i)
      out.put(tables.prefix[i]);
  const size_t start = out.count;
  bool hasBegun = false;
  auto takeText = [&](Text part, size_t at) {
    hasBegun = true;
    encodeStretch(tables, part, at == 0, flags, scratch, out);
  };
  auto takeToken = [&](const AddedToken &token) {
    if (!hasBegun && tables.putsFrontBlank)
      out.put(tables.frontBlank);
    hasBegun = true;
    if ((token.flags & DropsBlank) && out.count == start + 1 && out.last == tables.frontBlank)
      --out.count;
    out.put(token.id);
  };
  if (tables.hasAddedRaw)
    splitAtTokens(tables, tables.addedRaw, whole, flags, takeToken, takeText);
  else if (bytes)
    takeText(whole, 0);
  bool isEnded = tables.endsOnce && tables.suffixCount && out.last == tables.suffix[0];
  if (!(flags & EncodeBare) && !isEnded)
    for (uint32_t i = 0; i < tables.suffixCount; ++i)
      out.put(tables.suffix[i]);
  return scratch.hasOverflowed() ? int64_t(EncodeNeedsScratch) : int64_t(out.count);
}

} // namespace sinter::generation
