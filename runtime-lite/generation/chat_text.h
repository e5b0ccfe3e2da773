// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text as Python's str has it, on UTF-8: order, characters, code points, white space. Bytes that are no UTF-8 count as
// a character each time one begins.
#pragma once

#include "runtime-lite/generation/chat_search.h"
#include "runtime-lite/generation/unicode_utf8.h"

#include <string.h>

namespace sinter::generation {

inline bool equals(ChatText a, ChatText b) { return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size)); }
inline int compare(ChatText a, ChatText b) {
  size_t size = a.size < b.size ? a.size : b.size;
  int order = size ? memcmp(a.data, b.data, size) : 0;
  return order ? order : a.size < b.size ? -1 : a.size > b.size;
}
inline bool beginsWith(ChatText text, ChatText with) {
  return text.size >= with.size && equals({text.data, with.size}, with);
}
inline bool endsWith(ChatText text, ChatText with) {
  return text.size >= with.size && equals({text.data + (text.size - with.size), with.size}, with);
}

inline bool isContinuation(char c) { return (uint8_t(c) & 0xc0) == 0x80; }
/// Bytes of the character at `at`.
inline size_t characterSize(ChatText text, size_t at) {
  size_t size = 1;
  while (at + size < text.size && isContinuation(text[at + size]))
    ++size;
  return size;
}
inline size_t characterCount(ChatText text) {
  size_t count = text.size && isContinuation(text[0]);
  for (size_t i = 0; i < text.size; ++i)
    count += !isContinuation(text[i]);
  return count;
}
/// The byte at which character `index` begins, the text's end if there are not so many.
inline size_t characterStart(ChatText text, size_t index) {
  size_t at = 0;
  for (; index && at < text.size; --index)
    at += characterSize(text, at);
  return at;
}

/// U+FFFD where the bytes are no UTF-8.
inline uint32_t codePointAt(ChatText text, size_t at) {
  size_t size = characterSize(text, at);
  if (utf8Length(uint8_t(text[at])) != size)
    return 0xfffd;
  uint8_t bytes[4] = {};
  for (size_t i = 0; i < size; ++i)
    bytes[i] = uint8_t(text[at + i]);
  return readCodePoint(bytes).value;
}
/// What Python's str.isspace says.
inline bool isSpace(uint32_t c) {
  return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

enum StripSides { StripLeft = 1, StripRight = 2, StripBoth = 3 };
/// Without the characters at its ends of which `isStripped(size_t at)` holds.
template <class IsStripped>
ChatText strippedOf(ChatText text, StripSides sides, IsStripped isStripped) {
  size_t from = 0, to = text.size;
  while ((sides & StripLeft) && from < to && isStripped(from))
    from += characterSize(text, from);
  while ((sides & StripRight) && to > from) {
    size_t last = to - 1;
    while (last > from && isContinuation(text[last]))
      --last;
    if (!isStripped(last))
      break;
    to = last;
  }
  return {text.data + from, to - from};
}
inline ChatText strippedOfSpace(ChatText text, StripSides sides) {
  return strippedOf(text, sides, [&](size_t at) { return isSpace(codePointAt(text, at)); });
}
inline bool isAscii(ChatText text) {
  for (size_t i = 0; i < text.size; ++i)
    if (uint8_t(text[i]) > 0x7f)
      return false;
  return true;
}

} // namespace sinter::generation
