// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of chat templates on values, as Python and Jinja have them. What Python raises is a status.
#pragma once

#include "runtime-lite/generation/chat_memory.h"
#include "runtime-lite/generation/chat_program.h"

namespace sinter::generation {

/// What is printed of a value.
template <class Sink>
bool printValue(const ChatValue &value, ChatMemory &memory, Sink sink) {
  switch (value.kind) {
  case ChatKind::Undefined:
  case ChatKind::Missing:
    return true;
  case ChatKind::None:
    return sink(chatText("None"));
  case ChatKind::Boolean:
    return sink(value.integer ? chatText("True") : chatText("False"));
  case ChatKind::Integer:
    return sink(ChatDigits(value.integer).text);
  case ChatKind::Decimal:
  case ChatKind::String:
    return sink(value.asText());
  default:
    return memory.fail(ChatUnsupported, chatText("a list or an object is printed without tojson"));
  }
}
inline void addValue(ChatTextBuilder &to, const ChatValue &value, ChatMemory &memory) {
  printValue(value, memory, [&](ChatText text) {
    to.add(text);
    return true;
  });
}
inline ChatValue textOf(const ChatValue &value, ChatMemory &memory) {
  if (value.isText())
    return value;
  ChatTextBuilder to(memory);
  addValue(to, value, memory);
  return to.end();
}

inline bool areEqual(const ChatValue &a, const ChatValue &b, ChatMemory &memory, int depth = 0);

inline const ChatValue *lookUp(const ChatValue &dictionary, const ChatValue &key, ChatMemory &memory) {
  for (uint32_t i = 0; i < dictionary.size && memory.work(0); ++i)
    if (areEqual(dictionary.items[2 * i], key, memory))
      return &dictionary.items[2 * i + 1];
  return nullptr;
}

inline bool areEqual(const ChatValue &a, const ChatValue &b, ChatMemory &memory, int depth) {
  if (a.isInteger() && b.isInteger())
    return a.integer == b.integer;
  if ((a.is(ChatKind::Decimal) && (b.isInteger() || b.is(ChatKind::Decimal))) ||
      (b.is(ChatKind::Decimal) && a.isInteger()))
    return memory.fail(ChatUnsupported, chatText("a number with a fraction is compared"));
  if (a.kind != b.kind)
    return false;
  if (depth > 64)
    return memory.fail(ChatTooLong, chatText("values that are compared are nested too deeply"));
  switch (a.kind) {
  case ChatKind::String:
    return a.size == b.size && memory.work(a.size) && equals(a.asText(), b.asText());
  case ChatKind::List:
    for (uint32_t i = 0; a.size == b.size && i < a.size; ++i)
      if (!memory.work(0) || !areEqual(a.items[i], b.items[i], memory, depth + 1))
        return false;
    return a.size == b.size;
  case ChatKind::Dictionary:
    for (uint32_t i = 0; a.size == b.size && i < a.size; ++i) {
      const ChatValue *other = lookUp(b, a.items[2 * i], memory);
      if (!other || !areEqual(a.items[2 * i + 1], *other, memory, depth + 1))
        return false;
    }
    return a.size == b.size;
  case ChatKind::Namespace:
    return a.members == b.members;
  default:
    return true;
  }
}

/// Below zero, zero, above zero.
inline int order(const ChatValue &a, const ChatValue &b, ChatMemory &memory) {
  if (a.isInteger() && b.isInteger())
    return a.integer < b.integer ? -1 : a.integer > b.integer;
  if (a.isText() && b.isText() && memory.work(a.size))
    return compare(a.asText(), b.asText());
  bool isNumber = a.is(ChatKind::Decimal) || b.is(ChatKind::Decimal) || (a.is(ChatKind::List) && b.is(ChatKind::List));
  memory.fail(isNumber ? ChatUnsupported : ChatFailed, chatText("< or > of values that have no order here"));
  return 0;
}

inline bool contains(const ChatValue &in, const ChatValue &what, ChatMemory &memory) {
  switch (in.kind) {
  case ChatKind::Undefined:
    return false;
  case ChatKind::String:
    if (what.isText())
      return memory.work(in.size) && find(in.asText(), what.asText()) <= in.size;
    break;
  case ChatKind::List:
    for (uint32_t i = 0; i < in.size && memory.work(0); ++i)
      if (areEqual(in.items[i], what, memory))
        return true;
    return false;
  case ChatKind::Dictionary:
    if (!what.is(ChatKind::List) && !what.is(ChatKind::Dictionary))
      return lookUp(in, what, memory) != nullptr;
    break;
  default:
    break;
  }
  return memory.fail(ChatFailed, chatText("'in' of values that do not have it"));
}

inline ChatValue repeat(const ChatValue &what, int64_t count, ChatMemory &memory) {
  uint64_t times = count < 0 || !what.size ? 0 : uint64_t(count);
  if (times > (uint64_t(1) << 28) / (what.size ? what.size : 1)) {
    memory.fail(ChatTooLong, chatText("a value is repeated too often"));
    return ChatValue();
  }
  if (what.isText()) {
    ChatTextBuilder to(memory);
    for (uint64_t i = 0; i < times && memory.isGood(); ++i)
      to.add(what.asText());
    return to.end();
  }
  ChatValue *items = memory.values(size_t(times) * what.size);
  for (size_t i = 0; items && i < size_t(times) * what.size; ++i)
    items[i] = what.items[i % what.size];
  return chatItems(ChatKind::List, items, items ? size_t(times) * what.size : 0);
}

inline ChatValue arithmetic(ChatBinary operation, const ChatValue &a, const ChatValue &b, ChatMemory &memory) {
  using B = ChatBinary;
  if (a.isInteger() && b.isInteger()) {
    int64_t result = 0;
    bool overflows = false;
    if (operation == B::Add) {
      overflows = b.integer > 0 ? a.integer > INT64_MAX - b.integer : a.integer < INT64_MIN - b.integer;
      result = int64_t(uint64_t(a.integer) + uint64_t(b.integer));
    } else if (operation == B::Subtract) {
      overflows = b.integer > 0 ? a.integer < INT64_MIN + b.integer : a.integer > INT64_MAX + b.integer;
      result = int64_t(uint64_t(a.integer) - uint64_t(b.integer));
    } else if (operation == B::Multiply) {
      constexpr int64_t half = int64_t(1) << 31;
      overflows = a.integer >= half || a.integer <= -half || b.integer >= half || b.integer <= -half;
      result = overflows ? 0 : a.integer * b.integer;
    } else if (b.integer == 0) {
      memory.fail(ChatFailed, chatText("a division by zero"));
    } else if (b.integer == -1) {
      overflows = a.integer == INT64_MIN;
      result = operation == B::Divide && !overflows ? -a.integer : 0;
    } else { // rounded down
      int64_t quotient = a.integer / b.integer, rest = a.integer % b.integer;
      bool isDown = rest != 0 && (rest < 0) != (b.integer < 0);
      result = operation == B::Divide ? quotient - isDown : rest + (isDown ? b.integer : 0);
    }
    if (overflows)
      memory.fail(ChatUnsupported, chatText("a number becomes too large"));
    return chatInteger(result);
  }
  if (operation == B::Add && a.isText() && b.isText()) {
    char *to = memory.bytes(size_t(a.size) + b.size);
    if (!to)
      return ChatValue();
    if (a.size)
      memcpy(to, a.text, a.size);
    if (b.size)
      memcpy(to + a.size, b.text, b.size);
    return chatString({to, size_t(a.size) + b.size});
  }
  if (operation == B::Add && a.is(ChatKind::List) && b.is(ChatKind::List)) {
    ChatValue *items = memory.values(size_t(a.size) + b.size);
    for (size_t i = 0; items && i < size_t(a.size) + b.size; ++i)
      items[i] = i < a.size ? a.items[i] : b.items[i - a.size];
    return chatItems(ChatKind::List, items, items ? size_t(a.size) + b.size : 0);
  }
  const auto isSeveral = [](const ChatValue &value) { return value.isText() || value.is(ChatKind::List); };
  if (operation == B::Multiply && isSeveral(a) && b.isInteger())
    return repeat(a, b.integer, memory);
  if (operation == B::Multiply && isSeveral(b) && a.isInteger())
    return repeat(b, a.integer, memory);
  bool isFormat = (operation == B::Remainder && a.isText()) || a.is(ChatKind::Decimal) || b.is(ChatKind::Decimal);
  memory.fail(isFormat ? ChatUnsupported : ChatFailed, chatText("arithmetic on values that do not have it"));
  return ChatValue();
}

inline ChatValue binary(ChatBinary operation, const ChatValue &a, const ChatValue &b, ChatMemory &memory) {
  switch (operation) {
  case ChatBinary::Join: {
    ChatTextBuilder to(memory);
    addValue(to, a, memory);
    addValue(to, b, memory);
    return to.end();
  }
  case ChatBinary::Equal:
    return chatBoolean(areEqual(a, b, memory));
  case ChatBinary::NotEqual:
    return chatBoolean(!areEqual(a, b, memory));
  case ChatBinary::Less:
    return chatBoolean(order(a, b, memory) < 0);
  case ChatBinary::LessEqual:
    return chatBoolean(order(a, b, memory) <= 0);
  case ChatBinary::Greater:
    return chatBoolean(order(a, b, memory) > 0);
  case ChatBinary::GreaterEqual:
    return chatBoolean(order(a, b, memory) >= 0);
  case ChatBinary::In:
    return chatBoolean(contains(b, a, memory));
  case ChatBinary::NotIn:
    return chatBoolean(!contains(b, a, memory));
  default:
    return arithmetic(operation, a, b, memory);
  }
}

} // namespace sinter::generation
