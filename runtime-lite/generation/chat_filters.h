// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters and methods of chat templates. `values` has the value and the arguments behind it; what was not given is
// Missing.
#pragma once

#include "runtime-lite/generation/chat_json_write.h"
#include "runtime-lite/generation/chat_strings.h"

namespace sinter::generation {

/// The text of a value and its arguments.
class ChatArguments {
public:
  ChatArguments(const ChatValue *values, uint32_t count, ChatMemory &memory)
      : values(values), count(count), memory(memory) {}

  bool has(uint32_t i) const { return i < count && !values[i].is(ChatKind::Missing); }
  ChatValue get(uint32_t i, ChatValue otherwise) const { return has(i) ? values[i] : otherwise; }
  /// Of what is to be a text.
  ChatText text(uint32_t i) const {
    if (has(i) && values[i].isText())
      return values[i].asText();
    memory.fail(ChatFailed, chatText("a text is expected where there is another value"));
    return {"", 0};
  }
  /// The same, where none counts as absent: without data.
  ChatText optionalText(uint32_t i) const {
    return has(i) && !values[i].is(ChatKind::None) ? text(i) : ChatText{nullptr, 0};
  }
  int64_t integer(uint32_t i, int64_t otherwise) const {
    if (!has(i) || values[i].is(ChatKind::None))
      return otherwise;
    if (!values[i].isInteger())
      memory.fail(ChatFailed, chatText("a number is expected where there is another value"));
    return values[i].integer;
  }

private:
  const ChatValue *values;
  uint32_t count;
  ChatMemory &memory;
};

inline ChatValue applyFilter(ChatFilter filter, const ChatValue *values, uint32_t count, ChatMemory &memory) {
  const ChatValue &value = values[0];
  ChatArguments given(values, count, memory);
  const auto text = [&] { return textOf(value, memory).asText(); };
  memory.work(value.isText() ? value.size : 0);
  switch (filter) {
  case ChatFilter::Trim:
    return chatString(stripped(text(), given.optionalText(1), StripBoth, memory));
  case ChatFilter::Upper:
    return changeCase(text(), ChatCase::Upper, memory);
  case ChatFilter::Lower:
    return changeCase(text(), ChatCase::Lower, memory);
  case ChatFilter::Capitalize:
    return changeCase(text(), ChatCase::Capital, memory);
  case ChatFilter::String:
    return textOf(value, memory);
  case ChatFilter::ToJson: {
    int64_t indentation = given.integer(1, -1);
    return ChatJsonWriter(memory, indentation > 64 ? 64 : indentation).write(value);
  }
  case ChatFilter::Length:
    if (value.isText())
      return chatInteger(int64_t(characterCount(value.asText())));
    if (!value.is(ChatKind::List) && !value.is(ChatKind::Dictionary) && !value.is(ChatKind::Undefined))
      memory.fail(ChatFailed, chatText("length of what has none"));
    return chatInteger(value.size);
  case ChatFilter::Default: {
    bool isAbsent = value.is(ChatKind::Undefined) || (given.get(2, ChatValue()).isTrue() && !value.isTrue());
    return isAbsent ? given.get(1, chatString({"", 0})) : value;
  }
  case ChatFilter::Join: {
    ChatText between = textOf(given.get(1, chatString({"", 0})), memory).asText();
    return joinTexts(between, value, true, memory);
  }
  case ChatFilter::Items:
    if (!value.is(ChatKind::Dictionary) && !value.is(ChatKind::Undefined))
      memory.fail(ChatFailed, chatText("items of what is no object"));
    return value.is(ChatKind::Dictionary) ? pairsOf(value, memory) : chatItems(ChatKind::List, nullptr, 0);
  case ChatFilter::List:
    return listOf(value, memory);
  case ChatFilter::First:
  case ChatFilter::Last: {
    ChatValue list = listOf(value, memory);
    return list.size ? list.items[filter == ChatFilter::First ? 0 : list.size - 1] : ChatValue();
  }
  case ChatFilter::Replace:
    return replaceText(text(), given.text(1), given.text(2), given.integer(3, -1), memory);
  case ChatFilter::Int: {
    ChatValue otherwise = given.get(1, chatInteger(0));
    if (value.is(ChatKind::Decimal))
      memory.fail(ChatUnsupported, chatText("int of a number with a fraction"));
    return value.isInteger() ? chatInteger(value.integer)
           : value.isText()  ? integerOf(value.asText(), otherwise, memory)
                             : otherwise;
  }
  case ChatFilter::Reverse:
    return reversed(value, memory);
  }
  return ChatValue();
}

inline ChatValue callMethod(ChatMethod method, const ChatValue *values, uint32_t count, ChatMemory &memory) {
  const ChatValue &of = values[0];
  ChatArguments given(values, count, memory);
  if (method >= ChatMethod::Get) {
    if (!of.is(ChatKind::Dictionary)) {
      memory.fail(ChatFailed, chatText("get, items, keys or values of what is no object"));
      return ChatValue();
    }
    if (method == ChatMethod::Items)
      return pairsOf(of, memory);
    if (method == ChatMethod::Keys)
      return listOf(of, memory);
    if (method == ChatMethod::Get) {
      const ChatValue *value = lookUp(of, values[1], memory);
      return value ? *value : given.get(2, chatConstant(ChatKind::None));
    }
    ChatValue *items = memory.values(of.size);
    for (uint32_t i = 0; items && i < of.size; ++i)
      items[i] = of.items[2 * i + 1];
    return chatItems(ChatKind::List, items, items ? of.size : 0);
  }
  if (!of.isText()) {
    memory.fail(ChatFailed, chatText("a method of texts is called on what is none"));
    return ChatValue();
  }
  ChatText text = of.asText();
  memory.work(text.size);
  switch (method) {
  case ChatMethod::Strip:
    return chatString(stripped(text, given.optionalText(1), StripBoth, memory));
  case ChatMethod::LeftStrip:
    return chatString(stripped(text, given.optionalText(1), StripLeft, memory));
  case ChatMethod::RightStrip:
    return chatString(stripped(text, given.optionalText(1), StripRight, memory));
  case ChatMethod::Split:
    return splitText(text, given.get(1, ChatValue()), given.integer(2, -1), memory);
  case ChatMethod::StartsWith:
    return chatBoolean(touches(text, values[1], false, memory));
  case ChatMethod::EndsWith:
    return chatBoolean(touches(text, values[1], true, memory));
  case ChatMethod::Upper:
    return changeCase(text, ChatCase::Upper, memory);
  case ChatMethod::Lower:
    return changeCase(text, ChatCase::Lower, memory);
  case ChatMethod::Capitalize:
    return changeCase(text, ChatCase::Capital, memory);
  case ChatMethod::Replace:
    return replaceText(text, given.text(1), given.text(2), given.integer(3, -1), memory);
  case ChatMethod::Find: {
    size_t at = find(text, given.text(1));
    return chatInteger(at > text.size ? -1 : int64_t(characterCount({text.data, at})));
  }
  case ChatMethod::Count: {
    ChatText what = given.text(1);
    int64_t sum = what.size ? 0 : int64_t(characterCount(text)) + 1;
    for (size_t at = 0; what.size && (at = find(text, what, at)) <= text.size; at += what.size)
      ++sum;
    return chatInteger(sum);
  }
  default:
    return joinTexts(text, values[1], false, memory);
  }
}

inline bool passesTest(ChatTest test, const ChatValue *values, ChatMemory &memory) {
  const ChatValue &value = values[0];
  const auto is = [&](ChatKind kind) { return value.is(kind); };
  const auto remainder = [&](const ChatValue &by) {
    return arithmetic(ChatBinary::Remainder, value, by, memory).integer;
  };
  switch (test) {
  case ChatTest::True:
    return value.isTrue();
  case ChatTest::Defined:
    return !is(ChatKind::Undefined);
  case ChatTest::Undefined:
    return is(ChatKind::Undefined);
  case ChatTest::None:
    return is(ChatKind::None);
  case ChatTest::String:
    return is(ChatKind::String);
  case ChatTest::Mapping:
    return is(ChatKind::Dictionary);
  case ChatTest::Iterable:
  case ChatTest::Sequence:
    return is(ChatKind::String) || is(ChatKind::List) || is(ChatKind::Dictionary) || is(ChatKind::Undefined);
  case ChatTest::Number:
    return value.isInteger() || is(ChatKind::Decimal);
  case ChatTest::Integer:
    return is(ChatKind::Integer);
  case ChatTest::Boolean:
    return is(ChatKind::Boolean);
  case ChatTest::IsTrue:
    return is(ChatKind::Boolean) && value.integer;
  case ChatTest::IsFalse:
    return is(ChatKind::Boolean) && !value.integer;
  case ChatTest::Even:
    return remainder(chatInteger(2)) == 0;
  case ChatTest::Odd:
    return remainder(chatInteger(2)) == 1;
  case ChatTest::DivisibleBy:
    return remainder(values[1]) == 0;
  case ChatTest::Equal:
    return areEqual(value, values[1], memory);
  case ChatTest::NotEqual:
    return !areEqual(value, values[1], memory);
  case ChatTest::Less:
    return order(value, values[1], memory) < 0;
  case ChatTest::LessEqual:
    return order(value, values[1], memory) <= 0;
  case ChatTest::Greater:
    return order(value, values[1], memory) > 0;
  case ChatTest::GreaterEqual:
    return order(value, values[1], memory) >= 0;
  case ChatTest::In:
    return contains(values[1], value, memory);
  }
  return false;
}

} // namespace sinter::generation
