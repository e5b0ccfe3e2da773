// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON of the caller (tools, messages with more than a role and a text) to values of chat templates.
#pragma once

#include "runtime-lite/generation/chat_memory.h"

namespace sinter::generation {

class ChatJsonReader {
public:
  ChatJsonReader(ChatText text, ChatMemory &memory) : rest(text), memory(memory) {}

  ChatValue whole() {
    ChatValue value = read(0);
    skipSpace();
    if (rest.size)
      fail();
    return memory.isGood() ? value : ChatValue();
  }

private:
  static constexpr int deepest = 48;

  ChatValue fail() {
    memory.fail(ChatInvalidJson, chatText("a text that is given as JSON is none"));
    rest.size = 0;
    return ChatValue();
  }
  void skip(size_t count) {
    rest.data += count;
    rest.size -= count;
  }
  void skipSpace() {
    while (rest.size && (rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t' || rest[0] == '\r'))
      skip(1);
  }
  bool take(char c) {
    skipSpace();
    bool isIt = rest.size && rest[0] == c;
    if (isIt)
      skip(1);
    return isIt;
  }
  bool takeWord(ChatText word) {
    bool isIt = beginsWith(rest, word);
    if (isIt)
      skip(word.size);
    return isIt;
  }

  ChatValue read(int depth) {
    skipSpace();
    if (!rest.size || depth > deepest || !memory.work(1))
      return fail();
    if (rest[0] == '"')
      return string();
    if (rest[0] == '[' || rest[0] == '{')
      return several(depth, rest[0] == '{');
    if (takeWord(chatText("true")))
      return chatBoolean(true);
    if (takeWord(chatText("false")))
      return chatBoolean(false);
    if (takeWord(chatText("null")))
      return chatConstant(ChatKind::None);
    return number();
  }

  /// How many values are in the brackets that open here, counted by commas outside of strings and inner brackets.
  size_t countValues() const {
    size_t commas = 0, depth = 0;
    bool isString = false;
    for (size_t i = 0; i < rest.size; ++i) {
      char c = rest[i];
      if (isString && c == '\\')
        ++i;
      else if (c == '"')
        isString = !isString;
      else if (isString)
        continue;
      else if (c == '[' || c == '{')
        ++depth;
      else if ((c == ']' || c == '}') && --depth == 0)
        break;
      else if (c == ',' && depth == 1)
        ++commas;
    }
    memory.work(rest.size); // each level looks through what is in it
    return commas + 1;
  }
  ChatValue several(int depth, bool isDictionary) {
    size_t most = countValues(), count = 0, width = isDictionary ? 2 : 1;
    ChatValue *items = memory.values(most * width);
    if (!items)
      return ChatValue();
    skip(1);
    char close = isDictionary ? '}' : ']';
    if (!take(close))
      do {
        if (count == most)
          return fail();
        ChatValue key;
        skipSpace();
        if (isDictionary) {
          if (!rest.size || rest[0] != '"')
            return fail();
          key = string();
          if (!take(':'))
            return fail();
        }
        ChatValue value = read(depth + 1);
        if (!memory.isGood())
          return ChatValue();
        size_t at = count; // a key that is there twice has its first place and its last value
        for (size_t i = 0; isDictionary && i < count && at == count; ++i)
          if (memory.work(0) && equals(items[2 * i].asText(), key.asText()))
            at = i;
        if (isDictionary)
          items[2 * at] = key;
        items[width * at + width - 1] = value;
        count += at == count;
        if (take(close))
          break;
        if (!take(','))
          return fail();
      } while (true);
    return chatItems(isDictionary ? ChatKind::Dictionary : ChatKind::List, items, count);
  }

  ChatValue number() {
    size_t size = 0, digits = 0;
    bool isInteger = true;
    if (rest[0] == '-')
      ++size;
    size_t first = size;
    const auto takeDigits = [&] {
      for (digits = 0; size < rest.size && rest[size] >= '0' && rest[size] <= '9'; ++size)
        ++digits;
      return digits > 0;
    };
    if (!takeDigits() || (digits > 1 && rest[first] == '0'))
      return fail();
    size_t integerDigits = digits;
    if (size < rest.size && rest[size] == '.') {
      ++size;
      isInteger = false;
      if (!takeDigits())
        return fail();
    }
    if (size < rest.size && (rest[size] == 'e' || rest[size] == 'E')) {
      ++size;
      isInteger = false;
      if (size < rest.size && (rest[size] == '+' || rest[size] == '-'))
        ++size;
      if (!takeDigits())
        return fail();
    }
    ChatValue value = chatString({rest.data, size});
    value.kind = ChatKind::Decimal;
    if (isInteger && integerDigits <= 18) {
      int64_t sum = 0;
      for (size_t i = first; i < size; ++i)
        sum = sum * 10 + (rest[i] - '0');
      value = chatInteger(first ? -sum : sum);
    }
    skip(size);
    return value;
  }

  bool hex(uint32_t &value) {
    value = 0;
    for (size_t i = 0; i < 4; ++i) {
      char c = i < rest.size ? rest[i] : 0;
      uint32_t digit = c >= '0' && c <= '9'   ? uint32_t(c - '0')
                       : c >= 'a' && c <= 'f' ? uint32_t(c - 'a' + 10)
                       : c >= 'A' && c <= 'F' ? uint32_t(c - 'A' + 10)
                                              : 16;
      if (digit == 16)
        return false;
      value = value << 4 | digit;
    }
    skip(4);
    return true;
  }
  /// Behind \u. Halves of pairs must be pairs: alone they are no text.
  bool escapedCharacter(char *&to) {
    uint32_t c = 0, low = 0;
    if (!hex(c))
      return false;
    if (c >= 0xd800 && c < 0xe000) {
      if (c >= 0xdc00 || !takeWord(chatText("\\u")) || !hex(low) || low < 0xdc00 || low >= 0xe000)
        return false;
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    if (c < 0x80) {
      *to++ = char(c);
      return true;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *to++ = char((0xff00 >> (more + 1) & 0xff) | c >> (6 * more));
    while (more--)
      *to++ = char(0x80 | (c >> (6 * more) & 0x3f));
    return true;
  }
  ChatValue string() {
    skip(1);
    size_t size = 0;
    bool hasEscapes = false;
    for (; size < rest.size && rest[size] != '"'; ++size) {
      if (uint8_t(rest[size]) < 0x20)
        return fail();
      if (rest[size] == '\\') {
        hasEscapes = true;
        ++size;
      }
    }
    if (size >= rest.size)
      return fail();
    memory.work(size);
    if (!hasEscapes) {
      ChatValue value = chatString({rest.data, size});
      skip(size + 1);
      return value;
    }
    char *begin = memory.bytes(size), *to = begin; // an escape is longer than what it stands for
    if (!begin)
      return ChatValue();
    while (rest.size && rest[0] != '"') {
      char c = rest[0];
      skip(1);
      if (c != '\\') {
        *to++ = c;
        continue;
      }
      c = rest[0];
      skip(1);
      ChatText escapes = chatText("\"\\/bfnrt"), meant = chatText("\"\\/\b\f\n\r\t");
      size_t which = find(escapes, {&c, 1});
      if (which < escapes.size)
        *to++ = meant[which];
      else if (c != 'u' || !escapedCharacter(to))
        return fail();
    }
    if (!rest.size)
      return fail();
    skip(1);
    return chatString({begin, size_t(to - begin)});
  }

  ChatText rest;
  ChatMemory &memory;
};

} // namespace sinter::generation
