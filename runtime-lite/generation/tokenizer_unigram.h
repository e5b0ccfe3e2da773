// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unigram: of all ways to write a piece with tokens, the one whose scores have the largest sum (Viterbi).
#pragma once

#include "tokenizer_output.h"
#include "tokenizer_scratch.h"
#include "tokenizer_tables.h"
#include "unicode_utf8.h"

namespace sinter::generation {

/// The best way to write what is in front of a place: its last token and where that begins.
struct UnigramNode {
  double score;
  uint32_t token, start;
};

inline void considerToken(const Tables &tables, UnigramNode *nodes, size_t start, size_t end, uint32_t token,
                          double tokenScore) {
  double score =
      tables.sumsFloats ? double(float(tokenScore) + float(nodes[start].score)) : tokenScore + nodes[start].score;
  UnigramNode &node = nodes[end];
  if (node.token == noToken || score > node.score)
    node = {score, token, uint32_t(start)};
}

/// What the model does not have: a token that only the vocabulary has, its bytes, if all of them are tokens, else the
/// unknown token; and what spells the unknown token, which is that.
inline void putUnknown(const Tables &tables, Text text, IdWriter &out) {
  if (uint32_t spelled = find(tables.vocabulary, text.bytes, text.size); spelled != noToken) {
    out.putPiece(spelled);
    return;
  }
  if (tables.hasUnknownWords)
    if (uint32_t id = find(tables.unknownWords, text.bytes, text.size); id != noToken) {
      out.put(id);
      return;
    }
  bool hasBytes = tables.byteTokens != nullptr;
  for (size_t i = 0; i < text.size && hasBytes; ++i)
    hasBytes = tables.byteTokens[text.bytes[i]] != noToken;
  if (hasBytes) {
    for (size_t i = 0; i < text.size; ++i)
      out.putPiece(tables.byteTokens[text.bytes[i]]);
  } else if (tables.unknown != noToken) {
    out.putPiece(tables.unknown);
  }
}

inline void encodeUnigram(const Tables &tables, Text piece, double lead, Scratch &scratch, IdWriter &out) {
  size_t mark = scratch.mark();
  auto *nodes = scratch.take<UnigramNode>(piece.size + 1);
  if (!nodes)
    return;
  for (size_t i = 0; i <= piece.size; ++i)
    nodes[i] = {0, noToken, 0};
  nodes[0].score = lead;
  for (size_t start = 0; start < piece.size;) {
    size_t bytes = utf8Length(piece.bytes[start]);
    bool hasCharacter = false;
    uint32_t node = 0;
    for (size_t end = start; end < piece.size && walk(tables.vocabulary, node, piece.bytes[end]);) {
      ++end;
      uint32_t token = valueAt(tables.vocabulary, node);
      if (token == noToken)
        continue;
      considerToken(tables, nodes, start, end, token, tables.scores[token]);
      hasCharacter |= end == start + bytes;
    }
    if (!hasCharacter)
      considerToken(tables, nodes, start, start + bytes, tables.unknown, tables.unknownScore);
    start += bytes;
  }
  // From the end to the front, then forward along the links turned round: `token` stays, `start` becomes the next end.
  size_t place = piece.size, next = piece.size;
  while (place > 0) {
    size_t start = nodes[place].start;
    nodes[place].start = uint32_t(next);
    next = place;
    place = start;
  }
  size_t start = 0, unknownStart = 0;
  bool isUnknown = false; // characters that are not known are put together first
  for (place = next; start < piece.size;) {
    if (nodes[place].token == tables.unknown) {
      if (!isUnknown)
        unknownStart = start;
      isUnknown = true;
    } else {
      if (isUnknown)
        putUnknown(tables, {piece.bytes + unknownStart, start - unknownStart}, out);
      isUnknown = false;
      out.putPiece(nodes[place].token);
    }
    start = place;
    place = nodes[place].start;
  }
  if (isUnknown)
    putUnknown(tables, {piece.bytes + unknownStart, piece.size - unknownStart}, out);
  scratch.release(mark);
}

} // namespace sinter::generation
