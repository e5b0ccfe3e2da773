// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unicode's normalization forms: decompose, sort marks, compose (UAX #15). The tables are of the version of Unicode
// that the generated header names.
#pragma once

#include "tokenizer_scratch.h"
#include "tokenizer_tables.h"
#include "unicode_utf8.h"

namespace sinter::generation {

namespace hangul {
constexpr uint32_t syllables = 0xac00, leads = 0x1100, vowels = 0x1161, tails = 0x11a7;
constexpr uint32_t leadCount = 19, vowelCount = 21, tailCount = 28, count = leadCount * vowelCount * tailCount;
} // namespace hangul

/// Appends what a code point is made of; how many code points that is.
inline size_t decompose(const Mapping &mapping, uint32_t c, uint32_t *to) {
  if (c - hangul::syllables < hangul::count) {
    uint32_t s = c - hangul::syllables, tail = s % hangul::tailCount;
    to[0] = hangul::leads + s / (hangul::vowelCount * hangul::tailCount);
    to[1] = hangul::vowels + s / hangul::tailCount % hangul::vowelCount;
    to[2] = hangul::tails + tail;
    return tail ? 3 : 2;
  }
  uint32_t n = mapped(mapping.map, c);
  if (n == 0) {
    to[0] = c;
    return 1;
  }
  size_t count = 0;
  for (uint32_t i = mapping.starts[n - 1]; i < mapping.starts[n]; ++i)
    to[count++] = mapping.sequences[i];
  return count;
}

/// Sorts marks between others by their combining classes, keeping the order of equals. A run of n marks takes n steps
/// for each class that it has, or few where it is short. `spare` is as large as the text.
inline void sortMarks(const Tables &tables, uint32_t *text, size_t size, uint32_t *spare) {
  for (size_t at = 0; at < size;) {
    if (mapped(tables.orders, text[at]) == 0) {
      ++at;
      continue;
    }
    size_t end = at;
    bool isSorted = true;
    uint32_t last = 0;
    bool has[256] = {};
    for (; end < size; ++end) {
      uint32_t order = mapped(tables.orders, text[end]);
      if (order == 0)
        break;
      isSorted &= order >= last;
      last = order;
      has[order & 255] = true;
    }
    if (!isSorted) {
      size_t written = 0;
      for (uint32_t order = 1; order < 256; ++order)
        if (has[order])
          for (size_t i = at; i < end; ++i)
            if (mapped(tables.orders, text[i]) == order)
              spare[written++] = text[i];
      for (size_t i = 0; i < written; ++i)
        text[at + i] = spare[i];
    }
    at = end;
  }
}

/// What two code points compose to; 0 where they do not.
inline uint32_t composed(const Tables &tables, uint32_t first, uint32_t second) {
  if (first - hangul::leads < hangul::leadCount && second - hangul::vowels < hangul::vowelCount)
    return hangul::syllables +
           ((first - hangul::leads) * hangul::vowelCount + (second - hangul::vowels)) * hangul::tailCount;
  if (first - hangul::syllables < hangul::count && (first - hangul::syllables) % hangul::tailCount == 0 &&
      second > hangul::tails && second < hangul::tails + hangul::tailCount)
    return first + (second - hangul::tails);
  if (second < 0x300)
    return 0;
  uint32_t low = 0, high = tables.compositionCount;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const uint32_t *entry = tables.compositions + size_t(middle) * 3;
    if (entry[0] < first || (entry[0] == first && entry[1] < second))
      low = middle + 1;
    else
      high = middle;
  }
  const uint32_t *entry = tables.compositions + size_t(low) * 3;
  return low < tables.compositionCount && entry[0] == first && entry[1] == second ? entry[2] : 0;
}

/// Composes in place; the new size.
inline size_t compose(const Tables &tables, uint32_t *text, size_t size) {
  size_t written = 0, starter = 0;
  bool hasStarter = false;
  uint32_t last = 0; // the combining class of what was written last behind the starter
  for (size_t at = 0; at < size; ++at) {
    uint32_t c = text[at], order = mapped(tables.orders, c);
    bool isBlocked = hasStarter && written > starter + 1 && last >= order;
    if (hasStarter && !isBlocked) {
      if (uint32_t whole = composed(tables, text[starter], c)) {
        text[starter] = whole;
        continue;
      }
    }
    if (order == 0) {
      starter = written;
      hasStarter = true;
    }
    last = order;
    text[written++] = c;
  }
  return written;
}

/// The text in a form; empty where scratch does not suffice.
inline Text normalForm(const Tables &tables, const Mapping &mapping, bool composes, Text text, Scratch &scratch,
                       uint32_t growth) {
  bool isAscii = true;
  for (size_t i = 0; i < text.size && isAscii; ++i)
    isAscii = text.bytes[i] < 0x80;
  if (isAscii)
    return text;
  TextWriter out(scratch, text.size * growth + 4);
  size_t mark = scratch.mark();
  size_t count = 0;
  uint32_t *points = scratch.take<uint32_t>(text.size * growth + 4),
           *spare = scratch.take<uint32_t>(text.size * growth + 4);
  if (!spare || !out.isGood())
    return {nullptr, 0};
  for (size_t at = 0; at < text.size;) {
    CodePoint c = readCodePoint(text.bytes + at);
    count += decompose(mapping, c.value, points + count);
    at += c.bytes;
  }
  sortMarks(tables, points, count, spare);
  if (composes)
    count = compose(tables, points, count);
  for (size_t i = 0; i < count; ++i) {
    uint8_t bytes[4];
    out.put(bytes, writeCodePoint(bytes, points[i]));
  }
  scratch.release(mark);
  size_t size = out.end();
  return {out.bytes(), size};
}

} // namespace sinter::generation
