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

/// All white space, or with `blanks` that of ASCII's blank alone.
inline Text stripLeft(const Tables &tables, Text text, bool blanks = false) {
  while (text.size) {
    CodePoint c = readCodePoint(text.bytes);
    if (blanks ? c.value != ' ' : !isWhiteSpace(tables, c.value))
      break;
    text = {text.bytes + c.bytes, text.size - c.bytes};
  }
  return text;
}
inline Text stripRight(const Tables &tables, Text text, bool blanks = false) {
  while (text.size) {
    size_t at = text.size - 1;
    while (at && (text.bytes[at] & 0xc0) == 0x80)
      --at;
    uint32_t c = readCodePoint(text.bytes + at).value;
    if (blanks ? c != ' ' : !isWhiteSpace(tables, c))
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

/// The same map as SentencePiece applies it: the longest key at each place.
inline void mapLongest(const Tables &tables, const Trie &trie, Text text, TextWriter &out) {
  while (text.size) {
    size_t size = 0;
    uint32_t value = findPrefix(trie, text, &size);
    if (value == noToken) {
      size = utf8Length(text.bytes[0]);
      out.put(text.bytes, size);
    } else {
      Text with = stringOf(tables, value);
      out.put(with.bytes, with.size);
    }
    text = {text.bytes + size, text.size - size};
  }
}

inline Text applyNormalizer(const Tables &tables, const Step &step, Text text, Scratch &scratch) {
  if (text.size == 0)
    return text;
  if (step.kind == StepKind::StripLeft)
    return stripLeft(tables, text, step.a);
  if (step.kind == StepKind::StripRight)
    return stripRight(tables, text, step.a);
  if (step.kind == StepKind::Canonical)
    return normalForm(tables, tables.mappings[step.a], step.b, text, scratch, step.growth);
  size_t most = step.kind == StepKind::Prepend ? text.size + stringOf(tables, step.a).size : text.size * step.growth;
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
  else if (step.kind == StepKind::Charsmap)
    mapLongest(tables, tables.tries[step.a], text, out);
  else {
    Text with = stringOf(tables, step.a);
    out.put(with.bytes, with.size);
    out.put(text.bytes, text.size);
  }
  size_t size = out.end();
  return {out.bytes(), size};
}

} // namespace sinter::generation
