// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What filters and methods make of text. Letters of other alphabets than ASCII's keep no tables here: to change their
// case is refused, not done wrongly.
#pragma once

#include "runtime-lite/generation/chat_access.h"

namespace sinter::generation {

/// Without those of `characters` at its ends; without white space if they have no data.
inline ChatText stripped(ChatText text, ChatText characters, StripSides sides, ChatMemory &memory) {
  if (!characters.data)
    return strippedOfSpace(text, sides);
  return strippedOf(text, sides, [&](size_t at) {
    const ChatText one = {text.data + at, characterSize(text, at)};
    for (size_t i = 0; i < characters.size && memory.work(0); i += characterSize(characters, i))
      if (equals({characters.data + i, characterSize(characters, i)}, one))
        return true;
    return false;
  });
}

enum class ChatCase { Upper, Lower, Capital };
inline ChatValue changeCase(ChatText text, ChatCase to, ChatMemory &memory) {
  if (!isAscii(text)) {
    memory.fail(ChatUnsupported, chatText("upper or lower case of letters beyond ASCII"));
    return ChatValue();
  }
  char *result = memory.bytes(text.size);
  for (size_t i = 0; result && i < text.size; ++i) {
    bool isUpper = to == ChatCase::Upper || (to == ChatCase::Capital && i == 0);
    char c = text[i], first = isUpper ? 'a' : 'A';
    result[i] = c >= first && c < first + 26 ? char(c ^ 0x20) : c;
  }
  return chatString({result, result ? text.size : 0});
}

/// `most` below zero is no limit.
inline ChatValue replaceText(ChatText text, ChatText old, ChatText by, int64_t most, ChatMemory &memory) {
  if (!old.size) {
    memory.fail(ChatUnsupported, chatText("replacing an empty text"));
    return ChatValue();
  }
  ChatTextBuilder to(memory);
  memory.work(text.size);
  size_t from = 0;
  for (size_t at; most-- != 0 && memory.isGood() && (at = find(text, old, from)) <= text.size; from = at + old.size) {
    to.add({text.data + from, at - from});
    to.add(by);
  }
  to.add({text.data + from, text.size - from});
  return to.end();
}

/// Without a separator at white space, of which none is left at the ends.
inline ChatValue splitText(ChatText text, const ChatValue &separator, int64_t most, ChatMemory &memory) {
  bool isSpaces = !separator.isText();
  if (!isSpaces && !separator.size) {
    memory.fail(ChatFailed, chatText("split at an empty text"));
    return ChatValue();
  }
  ChatText by = separator.asText(), none = {nullptr, 0};
  const auto next = [&](ChatText &rest, ChatText &part, int64_t left) {
    if (isSpaces) {
      rest = strippedOfSpace(rest, StripLeft);
      size_t size = left == 0 ? strippedOfSpace(rest, StripRight).size : 0;
      while (left != 0 && size < rest.size && !isSpace(codePointAt(rest, size)))
        size += characterSize(rest, size);
      part = {rest.data, size};
      rest = strippedOfSpace({rest.data + size, rest.size - size}, StripLeft);
      return rest.size != 0;
    }
    size_t at = left == 0 ? rest.size + 1 : find(rest, by);
    bool isLast = at > rest.size;
    part = {rest.data, isLast ? rest.size : at};
    if (!isLast)
      rest = {rest.data + at + by.size, rest.size - at - by.size};
    return !isLast;
  };
  if (isSpaces && strippedOfSpace(text, StripLeft).size == 0)
    return chatItems(ChatKind::List, nullptr, 0);
  memory.work(2 * text.size);
  ChatText rest = text, part = none;
  size_t count = 1;
  int64_t left = most;
  for (; next(rest, part, left); ++count)
    left -= left > 0;
  ChatValue *items = memory.values(count);
  rest = text;
  left = most;
  for (size_t i = 0; items && i < count; ++i) {
    next(rest, part, left);
    left -= left > 0;
    items[i] = chatString(part);
  }
  return chatItems(ChatKind::List, items, items ? count : 0);
}

inline ChatValue joinTexts(ChatText between, const ChatValue &parts, bool takesAll, ChatMemory &memory) {
  ChatValue list = listOf(parts, memory);
  ChatTextBuilder to(memory);
  for (uint32_t i = 0; i < list.size && memory.isGood(); ++i) {
    if (i)
      to.add(between);
    if (!takesAll && !list.items[i].isText())
      memory.fail(ChatFailed, chatText("join of what is no text"));
    addValue(to, list.items[i], memory);
  }
  return to.end();
}

/// Whether the text begins (or ends) with a text, or one of a list.
inline bool touches(ChatText text, const ChatValue &what, bool atEnd, ChatMemory &memory) {
  if (what.isText())
    return memory.work(what.size) && (atEnd ? endsWith(text, what.asText()) : beginsWith(text, what.asText()));
  if (!what.is(ChatKind::List))
    return memory.fail(ChatFailed, chatText("startswith or endswith of what is no text"));
  for (uint32_t i = 0; i < what.size; ++i)
    if (what.items[i].isText() && touches(text, what.items[i], atEnd, memory))
      return true;
  return false;
}

/// Python's int of a text.
inline ChatValue integerOf(ChatText text, const ChatValue &otherwise, ChatMemory &memory) {
  text = strippedOfSpace(text, StripBoth);
  bool isNegative = text.size && text[0] == '-';
  size_t from = text.size && (text[0] == '-' || text[0] == '+');
  int64_t value = 0;
  for (size_t i = from; i < text.size; ++i) {
    bool isDigit = text[i] >= '0' && text[i] <= '9';
    if (i - from > 17 || (!isDigit && (text[i] == '_' || text[i] == '.' || uint8_t(text[i]) > 0x7f))) {
      memory.fail(ChatUnsupported, chatText("int of such a text"));
      return ChatValue();
    }
    if (!isDigit)
      return otherwise;
    value = value * 10 + (text[i] - '0');
  }
  return from == text.size ? otherwise : chatInteger(isNegative ? -value : value);
}

inline ChatValue reversed(const ChatValue &of, ChatMemory &memory) {
  ChatValue list = listOf(of, memory);
  ChatValue *items = memory.values(list.size);
  for (uint32_t i = 0; items && i < list.size; ++i)
    items[i] = list.items[list.size - 1 - i];
  ChatValue result = chatItems(ChatKind::List, items, items ? list.size : 0);
  return of.isText() ? joinTexts({"", 0}, result, true, memory) : result;
}

} // namespace sinter::generation
