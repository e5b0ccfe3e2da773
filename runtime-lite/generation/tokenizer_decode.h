// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token ids to text, all at once or one by one. A token may end within a code point: what is not whole yet, three bytes
// at most, waits for the next token; what cannot become whole is U+FFFD.
#pragma once

#include "tokenizer_tables.h"
#include "unicode_utf8.h"

namespace sinter::generation {

enum DecodeFlag : uint32_t {
  DecodeSpecial = 1, ///< special tokens too have text
};

/// Between two tokens of a text; all zero at its start.
struct DecodeState {
  uint8_t held[4];
  uint8_t heldCount;
  uint8_t hasToken; ///< one was decoded, behind which none is the first
  uint8_t isPast;   ///< nothing is stripped from the front any more
  uint8_t reserved;
  uint32_t stripped;
};

/// Where text goes. What does not fit is counted.
class TextSink {
public:
  TextSink(const Tables &tables, DecodeState &state, char *text, size_t capacity)
      : tables(tables), state(state), text(text), capacity(capacity) {}
  size_t count() const { return written; }

  /// A byte of UTF-8.
  void put(uint8_t byte) {
    state.held[state.heldCount++] = byte;
    while (state.heldCount) {
      Utf8Prefix prefix = utf8Prefix(state.held, state.heldCount);
      if (prefix.isCut)
        return;
      if (prefix.isWhole)
        for (uint32_t i = 0; i < prefix.bytes; ++i)
          write(state.held[i]);
      else
        replaceHeld(prefix.bytes);
      drop(prefix.bytes);
    }
  }
  void put(Text bytes) {
    for (size_t i = 0; i < bytes.size; ++i)
      put(bytes.bytes[i]);
  }
  /// What is held cannot become whole.
  void flush() {
    if (state.heldCount)
      replaceHeld(state.heldCount);
    state.heldCount = 0;
  }
  void putReplacement() {
    write(0xef);
    write(0xbf);
    write(0xbd);
  }

private:
  void replaceHeld(uint32_t bytes) {
    for (uint32_t i = 0; i < (tables.replacesBytes ? bytes : 1); ++i)
      putReplacement();
  }
  void drop(uint32_t count) {
    for (uint32_t i = count; i < state.heldCount; ++i)
      state.held[i - count] = state.held[i];
    state.heldCount = uint8_t(state.heldCount - count);
  }
  void write(uint8_t byte) {
    if (!state.isPast) {
      if (byte == tables.strippedByte && state.stripped < tables.strippedCount) {
        ++state.stripped;
        return;
      }
      state.isPast = 1;
    }
    if (written < capacity)
      text[written] = char(byte);
    ++written;
  }
  const Tables &tables;
  DecodeState &state;
  char *text;
  size_t capacity, written = 0;
};

inline bool isDecoded(const Tables &tables, int32_t id, uint32_t flags) {
  const uint8_t without = (flags & DecodeSpecial) ? NoToken : NoToken | SpecialToken;
  return uint32_t(id) < tables.tokenCount && !(tables.tokenFlags[id] & without);
}

inline Text textOfToken(const Tables &tables, uint32_t id, bool isFirst) {
  const uint32_t *starts = isFirst && tables.firstStarts ? tables.firstStarts : tables.tokenStarts;
  const uint8_t *bytes = isFirst && tables.firstStarts ? tables.firstBytes : tables.tokenBytes;
  return {bytes + starts[id], size_t(starts[id + 1] - starts[id])};
}

inline void putToken(const Tables &tables, DecodeState &state, TextSink &sink, uint32_t id) {
  if (tables.decodesGroups && !(tables.tokenFlags[id] & ByteToken))
    sink.flush();
  sink.put(textOfToken(tables, id, !state.hasToken));
  state.hasToken |= !(tables.tokenFlags[id] & KeepsFirst);
}

/// The whole code points that a token completes; how many bytes they have.
inline size_t decodeNext(const Tables &tables, DecodeState &state, int32_t id, char *text, size_t capacity,
                         uint32_t flags) {
  TextSink sink(tables, state, text, capacity);
  if (isDecoded(tables, id, flags))
    putToken(tables, state, sink, uint32_t(id));
  return sink.count();
}
/// What is held when no token follows; at most three bytes.
inline size_t decodeEnd(const Tables &tables, DecodeState &state, char *text, size_t capacity) {
  TextSink sink(tables, state, text, capacity);
  sink.flush();
  return sink.count();
}

/// The token that a special name or a piece of the text is decoded to; -1 where there is none.
inline int32_t findToken(const Tables &tables, const char *text, size_t size) {
  for (uint32_t id = 0; id < tables.tokenCount; ++id) {
    Text of = textOfToken(tables, id, false);
    if (!(tables.tokenFlags[id] & NoToken) && of.size == size &&
        beginsWith(of, {reinterpret_cast<const uint8_t *>(text), size}))
      return int32_t(id);
  }
  return -1;
}

/// Tokens of bytes that follow each other, up to `end`: are they text?
inline bool isTextOfBytes(const Tables &tables, const int32_t *ids, size_t from, size_t end, uint32_t flags) {
  uint8_t held[4];
  uint32_t count = 0;
  for (size_t i = from; i < end; ++i) {
    if (!isDecoded(tables, ids[i], flags))
      continue;
    held[count++] = tables.tokenBytes[tables.tokenStarts[ids[i]]];
    Utf8Prefix prefix = utf8Prefix(held, count);
    if (prefix.isWhole)
      count = 0;
    else if (!prefix.isCut)
      return false;
  }
  return count == 0;
}

/// How many bytes of text the tokens are; those that fit are written. Tokens of bytes in a row are text if all of them
/// together are, else U+FFFD each, as the package tokenizers has it.
inline size_t decode(const Tables &tables, const int32_t *ids, size_t count, char *text, size_t capacity,
                     uint32_t flags) {
  DecodeState state = {};
  TextSink sink(tables, state, text, capacity);
  for (size_t i = 0; i < count; ++i) {
    if (!isDecoded(tables, ids[i], flags))
      continue;
    if (!tables.decodesGroups || !(tables.tokenFlags[ids[i]] & ByteToken)) {
      putToken(tables, state, sink, uint32_t(ids[i]));
      continue;
    }
    size_t end = i;
    while (end < count && (!isDecoded(tables, ids[end], flags) || (tables.tokenFlags[ids[end]] & ByteToken)))
      ++end;
    bool isText = isTextOfBytes(tables, ids, i, end, flags);
    for (; i < end; ++i)
      if (isDecoded(tables, ids[i], flags)) {
        if (isText)
          putToken(tables, state, sink, uint32_t(ids[i]));
        else
          sink.putReplacement();
        state.hasToken = 1;
      }
    --i;
  }
  sink.flush();
  return sink.count();
}

} // namespace sinter::generation
