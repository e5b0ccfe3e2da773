// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front of a text: what normalizers made of its first character, in bytes. A pre-tokenizer that asks for a text's
// first piece means the pieces that begin there, so a normalizer that drops the first character leaves none. Which
// character a new one comes from is what the package tokenizers says.
#pragma once

#include "tokenizer_normalize.h"

namespace sinter::generation {

/// Goes over what a step writes, and counts the bytes that it makes of the front. What it writes takes the place of
/// characters of the text one by one, whatever it was made of.
class FrontCounter {
public:
  FrontCounter(Text text, size_t front) : text(text), front(front) {}
  /// All that follows is made of other characters.
  bool isDone() const { return at > front; }
  /// Takes the next character's place.
  void replace(size_t bytes) {
    flush();
    last = {bytes, 1};
  }
  /// Comes from where what was written last does.
  void add(size_t bytes) {
    flush();
    last = {bytes, 0};
  }
  /// The next character goes without anything in its place. What is at the very start is passed only if the step can.
  void drop(bool passesStart) {
    if (last.bytes)
      ++last.taken;
    else if (passesStart)
      pass();
  }
  size_t count() {
    flush();
    return counted;
  }

private:
  struct Written {
    size_t bytes, taken; ///< characters that it stands for
  };
  void pass() {
    if (at < text.size)
      at += utf8Length(text.bytes[at]);
  }
  void flush() {
    if (last.bytes == 0)
      return;
    if (last.taken ? at < front : at == 0 || at - 1 < front)
      counted += last.bytes;
    for (; last.taken; --last.taken)
      pass();
    last.bytes = 0;
  }
  Text text;
  size_t front, at = 0, counted = 0;
  Written last = {0, 0};
};

inline size_t codePointCount(Text text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size; ++i)
    count += (text.bytes[i] & 0xc0) != 0x80;
  return count;
}

inline size_t frontOfMap(const Mapping &mapping, Text text, size_t front) {
  FrontCounter counter(text, front);
  for (size_t at = 0; at < text.size && !counter.isDone();) {
    CodePoint c = readCodePoint(text.bytes + at);
    uint32_t n = mapped(mapping.map, c.value);
    uint8_t bytes[4];
    if (n == 0)
      counter.replace(c.bytes);
    else if (mapping.starts[n - 1] == mapping.starts[n])
      counter.drop(true);
    else
      for (uint32_t i = mapping.starts[n - 1]; i < mapping.starts[n]; ++i) {
        size_t size = writeCodePoint(bytes, mapping.sequences[i]);
        i == mapping.starts[n - 1] ? counter.replace(size) : counter.add(size);
      }
    at += c.bytes;
  }
  return counter.count();
}

/// A cluster that becomes nothing at the text's start keeps its place, which what follows it takes.
inline size_t frontOfClusters(const Tables &tables, const Trie &trie, Text text, size_t front) {
  FrontCounter counter(text, front);
  mapClusters(tables, trie, text, [&](Text part, Text with) {
    size_t places = codePointCount(part);
    for (size_t at = 0; at < with.size; at += utf8Length(with.bytes[at]))
      if (places) {
        counter.replace(utf8Length(with.bytes[at]));
        --places;
      } else {
        counter.add(utf8Length(with.bytes[at]));
      }
    for (; places; --places)
      counter.drop(false);
    return !counter.isDone();
  });
  return counter.count();
}

/// How many characters one decomposes into.
inline uint32_t decomposedCount(const Mapping &mapping, uint32_t c) {
  if (c - hangul::syllables < hangul::count)
    return (c - hangul::syllables) % hangul::tailCount ? 3 : 2;
  uint32_t n = mapped(mapping.map, c);
  return n ? mapping.starts[n] - mapping.starts[n - 1] : 1;
}

/// Decomposing adds characters and composing takes them away: both texts are the same when they are decomposed, but for
/// the order of marks on one character, which is taken to be that of the text.
inline size_t frontOfForm(const Mapping &mapping, Text before, Text after, size_t front) {
  FrontCounter counter(before, front);
  uint32_t left = 0; // of the last character of `before` that was passed
  for (size_t at = 0, from = 0; at < after.size && !counter.isDone();) {
    CodePoint c = readCodePoint(after.bytes + at);
    uint32_t parts = decomposedCount(mapping, c.value), places = 0;
    for (; left < parts && from < before.size; ++places) {
      CodePoint next = readCodePoint(before.bytes + from);
      left += decomposedCount(mapping, next.value);
      from += next.bytes;
    }
    left -= parts < left ? parts : left;
    places ? counter.replace(c.bytes) : counter.add(c.bytes);
    for (; places > 1; --places)
      counter.drop(false);
    at += c.bytes;
  }
  return counter.count();
}

/// What is found gives its last character's place to all that it becomes.
inline size_t frontOfReplace(const Tables &tables, const Regex &regex, Text with, Text text, size_t front) {
  size_t counted = 0;
  for (size_t at = 0; at < front;) {
    Found found = findNext(tables, regex, text, at);
    size_t end = found.at + found.size;
    counted += (found.at < front ? found.at : front) - at;
    if (found.size && end - 1 < front)
      counted += with.size;
    at = end;
  }
  return counted;
}

/// The front behind a step that made `after` of `before`.
inline size_t frontBehind(const Tables &tables, const Step &step, Text before, Text after, size_t front) {
  switch (step.kind) {
  case StepKind::Map:
    return frontOfMap(tables.mappings[step.a], before, front);
  case StepKind::Ideographs: {
    size_t counted = 0;
    for (size_t at = 0; at < front;) {
      CodePoint c = readCodePoint(before.bytes + at);
      counted += c.bytes + (mapped(tables.properties, c.value) & Ideograph ? 2 : 0);
      at += c.bytes;
    }
    return counted;
  }
  case StepKind::Canonical:
    return frontOfForm(tables.mappings[step.a], before, after, front);
  case StepKind::Replace:
    return frontOfReplace(tables, tables.regexes[step.a], stringOf(tables, step.b), before, front);
  case StepKind::Precompiled:
    return frontOfClusters(tables, tables.tries[step.a], before, front);
  case StepKind::Prepend:
    return front + stringOf(tables, step.a).size;
  case StepKind::StripLeft: {
    size_t dropped = before.size - after.size;
    return front > dropped ? front - dropped : 0;
  }
  default:
    return front < after.size ? front : after.size;
  }
}

/// The text as the model is to see it. `begin`: StretchBegin. `front` is what there is of the text's first character,
/// and is so again; 0 where that has gone or nobody asks.
inline Text normalize(const Tables &tables, Text text, uint32_t begin, size_t &front, Scratch &scratch) {
  for (uint32_t i = 0; i < tables.normalizerCount; ++i) {
    Text after = applyNormalizer(tables, tables.normalizers[i], text, begin, scratch);
    if (front)
      front = after.size ? frontBehind(tables, tables.normalizers[i], text, after, front) : 0;
    text = after;
  }
  return text;
}

} // namespace sinter::generation
