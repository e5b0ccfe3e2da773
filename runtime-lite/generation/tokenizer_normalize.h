// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps that make text of text, before it is cut.
#pragma once

#include "regex_dfa.h"
#include "unicode_normalize.h"

namespace sinter::generation {

inline bool isWhiteSpace(const Tables &tables, uint32_t c) { return mapped(tables.properties, c) & WhiteSpace; }

inline void mapText(const Mapping &mapping, Text text, TextWriter &out) {
  for (size_t at = 0; at < text.size;) {
    CodePoint c = readCodePoint(text.bytes + at);
    uint32_t n = mapped(mapping.map, c.value);
    if (n == 0)
      out.put(text.bytes + at, c.bytes);
    else
      for (uint32_t i = mapping.starts[n - 1]; i < mapping.starts[n]; ++i) {
        uint8_t bytes[4];
        out.put(bytes, writeCodePoint(bytes, mapping.sequences[i]));
      }
    at += c.bytes;
  }
}

/// So that each ideograph is a word. That is a property of characters, not a Mapping: there are more of them than a
/// Mapping has numbers.
inline void spaceIdeographs(const Tables &tables, Text text, TextWriter &out) {
  const uint8_t blank = ' ';
  for (size_t at = 0; at < text.size;) {
    CodePoint c = readCodePoint(text.bytes + at);
    const bool isIdeograph = mapped(tables.properties, c.value) & Ideograph;
    if (isIdeograph)
      out.put(&blank, 1);
    out.put(text.bytes + at, c.bytes);
    if (isIdeograph)
      out.put(&blank, 1);
    at += c.bytes;
  }
}

inline void replaceFound(const Tables &tables, const Regex &regex, Text with, Text text, TextWriter &out) {
  for (size_t at = 0; at < text.size;) {
    Found found = findNext(tables, regex, text, at);
    out.put(text.bytes + at, found.at - at);
    if (found.size)
      out.put(with.bytes, with.size);
    at = found.at + found.size;
  }
}

inline Text stripLeft(const Tables &tables, Text text) {
  while (text.size) {
    CodePoint c = readCodePoint(text.bytes);
    if (!isWhiteSpace(tables, c.value))
      break;
    text = {text.bytes + c.bytes, text.size - c.bytes};
  }
  return text;
}
inline Text stripRight(const Tables &tables, Text text) {
  while (text.size) {
    size_t at = text.size - 1;
    while (at && (text.bytes[at] & 0xc0) == 0x80)
      --at;
    if (!isWhiteSpace(tables, readCodePoint(text.bytes + at).value))
      break;
    text.size = at;
  }
  return text;
}

/// The bytes of the grapheme cluster at the front, as far as clusters of less than six bytes go: those of Hangul, flags
/// and emoji are longer, and are taken apart anyway.
inline size_t clusterLength(const Tables &tables, Text text) {
  CodePoint c = readCodePoint(text.bytes);
  size_t at = c.bytes;
  if (c.value == '\r' && at < text.size && text.bytes[at] == '\n')
    return 2;
  uint32_t last = mapped(tables.properties, c.value);
  if (last & ClusterControl)
    return at;
  while (at < text.size) {
    c = readCodePoint(text.bytes + at);
    uint32_t next = mapped(tables.properties, c.value);
    if ((next & ClusterControl) || !((next & ClusterExtend) || (last & ClusterPrepend)))
      break;
    last = next;
    at += c.bytes;
  }
  return at;
}

/// The number of the shortest key that the text begins with (longest: with `longest`, which then has its length).
inline uint32_t findPrefix(const Trie &trie, Text text, size_t *longest) {
  uint32_t node = 0, best = noToken;
  for (size_t i = 0; i < text.size && walk(trie, node, text.bytes[i]); ++i) {
    uint32_t value = valueAt(trie, node);
    if (value == noToken)
      continue;
    best = value;
    if (!longest)
      break;
    *longest = i + 1;
  }
  return best;
}

/// SentencePiece's map as the package tokenizers applies it: a short cluster as a whole, by the shortest key that it
/// begins with; else each character. `take` gets each part and what it becomes; it ends where that returns false.
template <class Take>
void mapClusters(const Tables &tables, const Trie &trie, Text text, const Take &take) {
  while (text.size) {
    size_t size = clusterLength(tables, text);
    uint32_t whole = size < 6 ? findPrefix(trie, {text.bytes, size}, nullptr) : noToken;
    for (size_t at = 0; at < size;) {
      Text part = {text.bytes + at, whole != noToken ? size : utf8Length(text.bytes[at])};
      uint32_t value = whole != noToken ? whole : findPrefix(trie, part, nullptr);
      if (!take(part, value == noToken ? part : stringOf(tables, value)))
        return;
      at += part.size;
    }
    text = {text.bytes + size, text.size - size};
  }
}

/// What SentencePiece writes for a blank: U+2581.
constexpr uint8_t pieceBlankBytes[] = {0xe2, 0x96, 0x81};
constexpr Text pieceBlank = {pieceBlankBytes, sizeof(pieceBlankBytes)};

/// What SentencePiece's map has for the front of a text, by the longest key; `size` bytes of it become that.
inline Text mappedPrefix(const Tables &tables, const Step &step, Text text, size_t &size) {
  size = 0;
  uint32_t value = step.a == noToken ? noToken : findPrefix(tables.tries[step.a], text, &size);
  if (value != noToken)
    return stringOf(tables, value);
  size = utf8Length(text.bytes[0]);
  return {text.bytes, size};
}

/// A text as SentencePiece's models see it. Blanks are dropped as it drops them: those that the map gives one by one at
/// the start, those at the start of what the map gives behind a blank, and at the end the signs too that the text had
/// itself.
inline void writePieceText(const Tables &tables, const Step &step, Text text, uint32_t begin, TextWriter &out) {
  const bool drops = step.b & DropsBlanks, dropsFront = drops && !(step.b >> keepsBlanksShift & begin);
  size_t size = 0;
  auto skip = [&](Text &from, size_t bytes) { from = {from.bytes + bytes, from.size - bytes}; };
  while (dropsFront && text.size) {
    Text with = mappedPrefix(tables, step, text, size);
    if (with.size != 1 || with.bytes[0] != ' ')
      break;
    skip(text, size);
  }
  if (text.size && (step.b & AddsBlank))
    out.put(pieceBlank.bytes, pieceBlank.size);
  for (bool isBehindBlank = dropsFront; text.size; skip(text, size)) {
    Text with = mappedPrefix(tables, step, text, size);
    while (isBehindBlank && with.size && with.bytes[0] == ' ')
      skip(with, 1);
    for (size_t i = 0; i < with.size; ++i)
      if (with.bytes[i] == ' ')
        out.put(pieceBlank.bytes, pieceBlank.size);
      else
        out.put(with.bytes + i, 1);
    if (with.size)
      isBehindBlank = drops && with.bytes[with.size - 1] == ' ';
  }
  while (drops && out.endsWith(pieceBlank.bytes, pieceBlank.size))
    out.shorten(pieceBlank.size);
}

inline Text applyNormalizer(const Tables &tables, const Step &step, Text text, uint32_t begin, Scratch &scratch) {
  if (text.size == 0)
    return text;
  if (step.kind == StepKind::StripLeft)
    return stripLeft(tables, text);
  if (step.kind == StepKind::StripRight)
    return stripRight(tables, text);
  if (step.kind == StepKind::Canonical)
    return normalForm(tables, tables.mappings[step.a], step.b, text, scratch, step.growth);
  if (step.kind == StepKind::Prepend && step.b && !(begin & BeginsText))
    return text;
  size_t most = step.kind == StepKind::Prepend ? text.size + stringOf(tables, step.a).size : text.size * step.growth;
  if (step.kind == StepKind::PieceText)
    most += pieceBlank.size;
  TextWriter out(scratch, most);
  if (!out.isGood())
    return {nullptr, 0};
  if (step.kind == StepKind::Map)
    mapText(tables.mappings[step.a], text, out);
  else if (step.kind == StepKind::Ideographs)
    spaceIdeographs(tables, text, out);
  else if (step.kind == StepKind::Replace)
    replaceFound(tables, tables.regexes[step.a], stringOf(tables, step.b), text, out);
  else if (step.kind == StepKind::Precompiled)
    mapClusters(tables, tables.tries[step.a], text, [&](Text, Text with) {
      out.put(with.bytes, with.size);
      return true;
    });
  else if (step.kind == StepKind::PieceText)
    writePieceText(tables, step, text, begin, out);
  else {
    Text with = stringOf(tables, step.a);
    out.put(with.bytes, with.size);
    out.put(text.bytes, text.size);
  }
  size_t size = out.end();
  return {out.bytes(), size};
}

/// StretchBegin of a stretch between added tokens.
inline uint32_t beginOf(Text text, bool isFirst) {
  const bool hasBlank = (text.size && text.bytes[0] == ' ') || beginsWith(text, pieceBlank);
  return (isFirst ? uint32_t(BeginsText) : 0) | (hasBlank ? uint32_t(BeginsWithBlank) : 0);
}

} // namespace sinter::generation
