// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of chat templates to JSON, as Python's json.dumps writes it with ensure_ascii=False.
#pragma once

#include "runtime-lite/generation/chat_memory.h"

namespace sinter::generation {

class ChatJsonWriter {
public:
  /// Without an indentation (below zero) all is on one line.
  ChatJsonWriter(ChatMemory &memory, int64_t indentation) : memory(memory), to(memory), indentation(indentation) {}

  ChatValue write(const ChatValue &value) {
    write(value, 0);
    return to.end();
  }

private:
  static constexpr int deepest = 64;

  void write(const ChatValue &value, int depth) {
    if (depth > deepest) {
      memory.fail(ChatTooLong, chatText("a value is nested too deeply for tojson"));
      return;
    }
    switch (value.kind) {
    case ChatKind::None:
      return to.add(chatText("null"));
    case ChatKind::Boolean:
      return to.add(value.integer ? chatText("true") : chatText("false"));
    case ChatKind::Integer:
      return to.add(ChatDigits(value.integer).text);
    case ChatKind::Decimal:
      return to.add(value.asText());
    case ChatKind::String:
      return string(value.asText());
    case ChatKind::List:
    case ChatKind::Dictionary:
      return several(value, depth);
    default:
      memory.fail(ChatFailed, chatText("tojson of what is no value of JSON"));
    }
  }
  void newLine(int depth) {
    if (indentation < 0)
      return;
    to.add('\n');
    for (int64_t i = 0; i < indentation * depth && memory.isGood(); ++i)
      to.add(' ');
  }
  void several(const ChatValue &value, int depth) {
    bool isDictionary = value.is(ChatKind::Dictionary);
    to.add(isDictionary ? '{' : '[');
    for (uint32_t i = 0; i < value.size && memory.isGood(); ++i) {
      if (i)
        to.add(indentation < 0 ? chatText(", ") : chatText(","));
      newLine(depth + 1);
      if (isDictionary) {
        const ChatValue &key = value.items[2 * i];
        bool isText = key.isText();
        if (!isText)
          to.add('"');
        write(key, deepest); // keys are no lists
        to.add(isText ? chatText(": ") : chatText("\": "));
      }
      write(value.items[isDictionary ? 2 * i + 1 : i], depth + 1);
    }
    if (value.size)
      newLine(depth);
    to.add(isDictionary ? '}' : ']');
  }
  void string(ChatText text) {
    to.add('"');
    size_t plain = 0;
    for (size_t i = 0; i < text.size; ++i) {
      char c = text[i];
      if (uint8_t(c) >= 0x20 && c != '"' && c != '\\')
        continue;
      to.add({text.data + plain, i - plain});
      plain = i + 1;
      ChatText escaped = chatText("\"\\\b\f\n\r\t"), letters = chatText("\"\\bfnrt");
      size_t which = find(escaped, {&c, 1});
      to.add('\\');
      if (which < escaped.size) {
        to.add(letters[which]);
      } else {
        to.add(chatText("u00"));
        to.add(c & 0x10 ? '1' : '0');
        to.add("0123456789abcdef"[c & 15]);
      }
    }
    to.add({text.data + plain, text.size - plain});
    to.add('"');
  }

  ChatMemory &memory;
  ChatTextBuilder to;
  int64_t indentation;
};

} // namespace sinter::generation
