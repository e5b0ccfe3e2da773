// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte pair encoding: of all neighbours that merge, those of the lowest rank first, the leftmost of equals. Short
// pieces look at all pairs each time; long ones have a heap, so that n characters take n log n steps.
#pragma once

#include "tokenizer_output.h"
#include "tokenizer_scratch.h"
#include "tokenizer_tables.h"
#include "unicode_utf8.h"

namespace sinter::generation {

constexpr uint32_t noMerge = 0xffffffffu;

inline uint32_t hashPair(uint32_t left, uint32_t right, uint32_t seed) {
  uint64_t h = (uint64_t(left) << 32 | right) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
  h ^= h >> 29;
  h *= 0x94d049bb133111ebu;
  return uint32_t(h >> 32);
}

/// The merge of two tokens, by number; noMerge where there is none. A bucket's seed spreads its pairs to places of
/// their own, so that one comparison answers.
inline uint32_t findMerge(const Tables &tables, uint32_t left, uint32_t right) {
  if (tables.mergeCount == 0)
    return noMerge;
  uint32_t bucket = uint32_t(uint64_t(hashPair(left, right, tables.mergeSalt)) * tables.mergeBuckets >> 32);
  uint32_t place = uint32_t(uint64_t(hashPair(left, right, tables.mergeSeeds[bucket])) * tables.mergeCount >> 32);
  const Merge &merge = tables.merges[place];
  return merge.left == left && merge.right == right ? place : noMerge;
}

/// What a piece is made of at the moment: a list.
struct BpeSymbol {
  uint32_t token, previous, next;
};
struct BpeCandidate {
  uint32_t rank, at, merge;
  bool operator<(const BpeCandidate &other) const { return rank != other.rank ? rank < other.rank : at < other.at; }
};
constexpr uint32_t noSymbol = 0xffffffffu;

/// The least first; as large as the scratch that it is given.
class BpeHeap {
public:
  explicit BpeHeap(BpeCandidate *entries) : entries(entries) {}
  bool isEmpty() const { return size == 0; }
  void push(BpeCandidate added) {
    size_t at = size++;
    for (; at && added < entries[(at - 1) / 2]; at = (at - 1) / 2)
      entries[at] = entries[(at - 1) / 2];
    entries[at] = added;
  }
  BpeCandidate pop() {
    BpeCandidate least = entries[0], moved = entries[--size];
    size_t at = 0;
    for (size_t child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && entries[child + 1] < entries[child])
        ++child;
      if (!(entries[child] < moved))
        break;
      entries[at] = entries[child];
      at = child;
    }
    entries[at] = moved;
    return least;
  }

private:
  BpeCandidate *entries;
  size_t size = 0;
};

/// How many first tokens a piece has at most: its bytes, those of affixes where they are written in bytes too, and an
/// unknown one that was held back.
inline size_t mostSymbols(const Tables &tables, size_t pieceBytes) {
  if (!tables.hasAffixes || !tables.byteTokens)
    return pieceBytes + 1;
  return pieceBytes * (1 + stringOf(tables, tables.laterPrefix).size) + stringOf(tables, tables.lastSuffix).size + 1;
}

/// The first tokens of a piece: one for each character, or what stands for it. Bytes stand for a character with the
/// affixes that the vocabulary would have it with.
inline size_t firstTokens(const Tables &tables, Text piece, BpeSymbol *symbols) {
  size_t count = 0;
  uint32_t held = noToken; // an unknown token that the next unknown character may be part of
  auto put = [&](uint32_t token) { symbols[count++].token = token; };
  for (size_t at = 0; at < piece.size;) {
    size_t bytes = tables.isBytes ? 1 : utf8Length(piece.bytes[at]);
    uint32_t node = 0;
    bool isKnown = true, isLater = at > 0, isLast = at + bytes == piece.size;
    if (tables.hasAffixes)
      isKnown = walk(tables.characters, node, uint8_t(isLater | isLast << 1));
    uint32_t token = isKnown ? find(tables.characters, piece.bytes + at, bytes, node) : noToken;
    if (token != noToken) {
      if (held != noToken)
        put(held);
      held = noToken;
      put(token);
      at += bytes;
      continue;
    }
    Text parts[3] = {{nullptr, 0}, {piece.bytes + at, bytes}, {nullptr, 0}};
    if (tables.hasAffixes && isLater)
      parts[0] = stringOf(tables, tables.laterPrefix);
    if (tables.hasAffixes && isLast)
      parts[2] = stringOf(tables, tables.lastSuffix);
    bool hasBytes = tables.byteTokens != nullptr;
    for (Text part : parts)
      for (size_t i = 0; i < part.size && hasBytes; ++i)
        hasBytes = tables.byteTokens[part.bytes[i]] != noToken;
    if (hasBytes) {
      for (Text part : parts)
        for (size_t i = 0; i < part.size; ++i)
          put(tables.byteTokens[part.bytes[i]]);
    } else if (tables.unknown != noToken) {
      if (held != noToken && !tables.fusesUnknown)
        put(held);
      held = tables.unknown;
    }
    at += bytes;
  }
  if (held != noToken)
    put(held);
  for (size_t i = 0; i < count; ++i) {
    symbols[i].previous = i ? uint32_t(i - 1) : noSymbol;
    symbols[i].next = i + 1 < count ? uint32_t(i + 1) : noSymbol;
  }
  return count;
}

inline void joinSymbols(BpeSymbol *symbols, uint32_t at, uint32_t token) {
  uint32_t gone = symbols[at].next;
  symbols[at].token = token;
  symbols[at].next = symbols[gone].next;
  if (symbols[at].next != noSymbol)
    symbols[symbols[at].next].previous = at;
  symbols[gone].token = noToken;
}

inline void mergeShort(const Tables &tables, BpeSymbol *symbols, size_t count) {
  uint32_t merges[32]; // of a symbol with its next one
  auto update = [&](uint32_t at) {
    merges[at] =
        symbols[at].next == noSymbol ? noMerge : findMerge(tables, symbols[at].token, symbols[symbols[at].next].token);
  };
  for (size_t i = 0; i < count; ++i)
    update(uint32_t(i));
  for (;;) {
    uint32_t best = noSymbol, rank = noMerge;
    for (uint32_t i = 0; i != noSymbol; i = symbols[i].next)
      if (merges[i] != noMerge && tables.merges[merges[i]].rank < rank) {
        best = i;
        rank = tables.merges[merges[i]].rank;
      }
    if (best == noSymbol)
      return;
    joinSymbols(symbols, best, tables.merges[merges[best]].token);
    update(best);
    if (symbols[best].previous != noSymbol)
      update(symbols[best].previous);
  }
}

inline void mergeLong(const Tables &tables, BpeSymbol *symbols, size_t count, BpeCandidate *entries) {
  BpeHeap heap(entries);
  auto consider = [&](uint32_t at) {
    if (at == noSymbol || symbols[at].next == noSymbol)
      return;
    uint32_t merge = findMerge(tables, symbols[at].token, symbols[symbols[at].next].token);
    if (merge != noMerge)
      heap.push({tables.merges[merge].rank, at, merge});
  };
  for (size_t i = 0; i < count; ++i)
    consider(uint32_t(i));
  while (!heap.isEmpty()) {
    BpeCandidate least = heap.pop();
    if (symbols[least.at].token == noToken || symbols[least.at].next == noSymbol)
      continue;
    // The neighbours may have changed since; what counts is that they still become the same token.
    uint32_t now = findMerge(tables, symbols[least.at].token, symbols[symbols[least.at].next].token);
    if (now == noMerge || tables.merges[now].token != tables.merges[least.merge].token)
      continue;
    joinSymbols(symbols, least.at, tables.merges[now].token);
    consider(symbols[least.at].previous);
    consider(least.at);
  }
}

inline void encodeBpe(const Tables &tables, Text piece, Scratch &scratch, IdWriter &out) {
  if (tables.hasVocabulary) {
    uint32_t whole = find(tables.vocabulary, piece.bytes, piece.size);
    if (whole != noToken) {
      out.putPiece(whole);
      return;
    }
  }
  size_t mark = scratch.mark();
  auto *symbols = scratch.take<BpeSymbol>(mostSymbols(tables, piece.size));
  if (!symbols)
    return;
  size_t count = firstTokens(tables, piece, symbols);
  if (count > 1 && count <= 32) {
    mergeShort(tables, symbols, count);
  } else if (count > 1) {
    auto *entries = scratch.take<BpeCandidate>(2 * count);
    if (entries)
      mergeLong(tables, symbols, count, entries);
  }
  // Characters that are no token, and have not become a part of one, are unknown now.
  bool wasUnknown = false;
  for (uint32_t i = 0; count && i != noSymbol; i = symbols[i].next) {
    uint32_t token = symbols[i].token;
    bool isUnknown = token >= tables.vocabularySize;
    if (!isUnknown)
      out.putPiece(token);
    else if (!(wasUnknown && tables.fusesUnknown) && tables.unknown != noToken)
      out.putPiece(tables.unknown);
    wasUnknown = isUnknown;
  }
  scratch.release(mark);
}

} // namespace sinter::generation
