// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what a compiled regular expression finds, with one step for each character. The automaton reads one character
// more than it takes: a step says whether a match ends in front of that character, so that look-ahead costs nothing.
// How alternatives and repetitions rank is in its states (compiler/tokenizer/regex_automaton.cpp).
#pragma once

#include "tokenizer_tables.h"
#include "unicode_utf8.h"

namespace sinter::generation {

constexpr uint16_t matchEndsHere = 0x8000;

/// The bytes of the match that begins at the text's start; 0 where none does (no match is empty).
inline size_t matchLength(const Tables &tables, const Regex &regex, const uint8_t *text, size_t size) {
  size_t at = 0, best = 0;
  uint32_t state = 1; // 0 is where nothing matches any more
  for (;;) {
    CodePoint next = {0, 0};
    uint32_t kind = tables.classCount - 1;
    if (at < size) {
      next = readCodePoint(text + at);
      kind = mapped(tables.classes, next.value);
    }
    uint16_t entry = regex.next[size_t(state) * tables.classCount + kind];
    if (entry & matchEndsHere)
      best = at;
    state = entry & (matchEndsHere - 1u);
    if (state == 0 || at == size)
      return best;
    at += next.bytes;
  }
}

/// The next match from `from` on; a size of 0 where there is none.
struct Found {
  size_t at, size;
};
inline Found findNext(const Tables &tables, const Regex &regex, Text text, size_t from) {
  while (from < text.size) {
    if (size_t size = matchLength(tables, regex, text.bytes + from, text.size - from))
      return {from, size};
    from += utf8Length(text.bytes[from]);
  }
  return {text.size, 0};
}

} // namespace sinter::generation
