// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of chat templates: views of text and of other values, which live in the caller's text, the program or the
// scratch (chat_memory.h).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sinter::generation {

enum class ChatKind : uint32_t {
  Undefined,
  None,
  Boolean,
  Integer,
  Decimal, ///< a number with a fraction, as its text: it can be passed on and printed
  String,
  List,
  Dictionary,
  Namespace,
  Method,  ///< of Python, not called: it is something, and that is all one can ask of it
  Missing, ///< an argument that was not given
};

enum ChatStatus : int32_t {
  ChatOk = 0,
  ChatNoMemory = -1,    ///< the scratch is too small
  ChatTooLong = -2,     ///< more work, depth or text than the limits allow
  ChatRaised = -3,      ///< the template called raise_exception; the message is its text
  ChatFailed = -4,      ///< an operation on values that do not have it; the message names it
  ChatUnsupported = -5, ///< Jinja does it, this does not; the message names it
  ChatInvalidJson = -6, ///< a variable or message of the caller is no JSON
  ChatNoDate = -7,      ///< the template asks for the date, and none was given
};

struct ChatText {
  const char *data;
  size_t size;
  char operator[](size_t i) const { return data[i]; }
};
template <size_t N>
constexpr ChatText chatText(const char (&text)[N]) {
  return {text, N - 1};
}

struct ChatValue;
struct ChatMembers {
  uint32_t count, capacity;
  ChatValue *pairs; ///< name, value, name, value
};
struct ChatValue {
  ChatKind kind = ChatKind::Undefined;
  uint32_t size = 0; ///< bytes of a text, values of a list, pairs of a dictionary
  union {
    int64_t integer = 0;
    const char *text;
    ChatValue *items; ///< of a dictionary: key, value, key, value
    ChatMembers *members;
  };
  ChatText asText() const { return {text, size}; }
  bool is(ChatKind wanted) const { return kind == wanted; }
  bool isInteger() const { return kind == ChatKind::Integer || kind == ChatKind::Boolean; }
  bool isText() const { return kind == ChatKind::String; }
  bool isTrue() const {
    switch (kind) {
    case ChatKind::Boolean:
    case ChatKind::Integer:
      return integer != 0;
    case ChatKind::Decimal:
      return !isZeroText();
    case ChatKind::String:
    case ChatKind::List:
    case ChatKind::Dictionary:
      return size != 0;
    case ChatKind::Namespace:
    case ChatKind::Method:
      return true;
    default:
      return false;
    }
  }

private:
  bool isZeroText() const {
    for (uint32_t i = 0; i < size && text[i] != 'e' && text[i] != 'E'; ++i)
      if (text[i] >= '1' && text[i] <= '9')
        return false;
    return true;
  }
};

inline ChatValue chatConstant(ChatKind kind, int64_t number = 0) {
  ChatValue value;
  value.kind = kind;
  value.integer = number;
  return value;
}
inline ChatValue chatInteger(int64_t number) { return chatConstant(ChatKind::Integer, number); }
inline ChatValue chatBoolean(bool flag) { return chatConstant(ChatKind::Boolean, flag); }
inline ChatValue chatString(ChatText text) {
  ChatValue value;
  value.kind = ChatKind::String;
  value.size = uint32_t(text.size);
  value.text = text.data;
  return value;
}
inline ChatValue chatItems(ChatKind kind, ChatValue *items, size_t count) {
  ChatValue value;
  value.kind = kind;
  value.size = uint32_t(count);
  value.items = items;
  return value;
}

} // namespace sinter::generation
