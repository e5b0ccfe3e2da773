// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of words: WordPiece takes the longest token at each place of a word, WordLevel knows whole words.
#pragma once

#include "tokenizer_output.h"
#include "tokenizer_scratch.h"
#include "tokenizer_tables.h"
#include "unicode_utf8.h"

namespace sinter::generation {

inline void encodeWordLevel(const Tables &tables, Text piece, IdWriter &out) {
  uint32_t token = find(tables.vocabulary, piece.bytes, piece.size);
  if (token == noToken)
    token = tables.unknown;
  if (token != noToken)
    out.put(token);
}

/// A word that cannot be written with tokens, or is too long, is one unknown token.
inline void encodeWordPiece(const Tables &tables, Text piece, Scratch &scratch, IdWriter &out) {
  size_t characters = 0;
  for (size_t i = 0; i < piece.size; ++i)
    characters += (piece.bytes[i] & 0xc0) != 0x80;
  size_t mark = scratch.mark(), count = 0;
  uint32_t *tokens = characters <= tables.longestWord ? scratch.take<uint32_t>(piece.size) : nullptr;
  bool isKnown = tokens != nullptr;
  for (size_t at = 0; isKnown && at < piece.size;) {
    uint32_t node = 0, best = noToken;
    size_t bestEnd = at;
    bool isOn = walk(tables.vocabulary, node, at ? 1 : 0);
    for (size_t end = at; isOn && end < piece.size && walk(tables.vocabulary, node, piece.bytes[end]);) {
      ++end;
      uint32_t value = valueAt(tables.vocabulary, node);
      if (value != noToken) {
        best = value;
        bestEnd = end;
      }
    }
    isKnown = best != noToken;
    if (isKnown)
      tokens[count++] = best;
    at = bestEnd;
  }
  if (isKnown)
    for (size_t i = 0; i < count; ++i)
      out.put(tokens[i]);
  else
    out.put(tables.unknown);
  scratch.release(mark);
}

} // namespace sinter::generation
